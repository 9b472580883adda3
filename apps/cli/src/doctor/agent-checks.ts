import { existsSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { type Agent, findOnPath, HOOK_PROGRAM, isAtLeast, isInRunnerCache, isProgram } from "@agent-checkpoint/agents";
import { loadRules } from "@agent-checkpoint/composer";
import { isNodeTooOld, OLDEST_NODE } from "@agent-checkpoint/files/node-version";
import type { StoredStop } from "@agent-checkpoint/store";
import { readContextUsage } from "@agent-checkpoint/transcript";
import { execa } from "execa";
import { formatAgo } from "../time/format-time.ts";
import { type Check, fail, type Finding, type Found, ok, warn } from "./check.ts";
import { type ExaminedAgent, isInItsFile, type OwnHook, placeOf } from "./examine-agents.ts";
import type { Machine } from "./machine-checks.ts";
import type { SentCanary } from "./send-canaries.ts";

/** What the checks of one agent look at. */
export interface AgentCase extends ExaminedAgent {
  readonly machine: Machine;
  /** Whether this agent was asked about by name, or no agent has a hook of ours: then having none is a fault. */
  readonly isWanted: boolean;
  /** The hook programs that belong to this installation, the one that `init` registers first. */
  readonly ownPrograms: readonly string[];
  readonly canaries: readonly SentCanary[];
  /** Why no canary could be sent; null if they could, or none were wanted. */
  readonly canaryProblem: string | null;
  /** How long Node itself takes to start, in the same run; null if it was not measured. */
  readonly nodeStartMs: number | null;
}

/** The checks of each agent, in the order of the report. */
export const AGENT_CHECKS: readonly Check<AgentCase>[] = [
  { id: "version", title: "version", run: checkVersion },
  { id: "settings", title: "settings", run: checkSettingsFiles },
  { id: "registered", title: "registered", run: checkRegistered },
  { id: "duplicates", title: "duplicates", run: checkDuplicates },
  { id: "gate", title: "gate", run: checkGate },
  { id: "program", title: "program", run: checkProgram },
  { id: "timeout", title: "timeout", run: checkTimeout },
  { id: "switches", title: "switches", run: checkBlockers },
  { id: "trust", title: "trust", run: checkTrust },
  { id: "canary", title: "canary", run: checkCanary },
  { id: "latency", title: "latency", run: checkLatency },
  { id: "last-firing", title: "last firing", run: checkLastFiring },
  { id: "saving", title: "saving", run: checkSaving },
];

/** Whether the agent's program is there, and new enough for hooks. */
function checkVersion({ agent, installed, files }: AgentCase): Found {
  const { title, program, events } = agent;
  if (installed === null)
    return warn(`${program} is not on the PATH`, `Install ${title}, or run doctor with a PATH that contains it.`);
  const { version, path } = installed;
  if (version === null) return ok(`${path}, of unknown version`);
  const late = events.find(({ since }) => !isAtLeast(version, since));
  if (late !== undefined) {
    const what = `${version} does not know the event ${late.name}, which came with ${late.since}`;
    return fail(what, updateAdvice(agent, version));
  }
  const problem = agent.versionProblem(version, files);
  return problem === null ? ok(version) : fail(problem.what, problem.fix);
}

function updateAdvice({ title, otherRoute }: Agent, version: string): string {
  if (otherRoute === null) return `Update ${title}.`;
  const { command, since } = otherRoute;
  return isAtLeast(version, since)
    ? `Update ${title}, or run ${command}.`
    : `Update ${title}; ${command} serves ${since} and newer.`;
}

/** Whether the agent can read its own settings: it runs no hooks from a file that it cannot parse, and rarely reports that. */
function checkSettingsFiles({ files, agent }: AgentCase): Found {
  return files.flatMap(({ path, scope, problem, foreign }) => {
    const correct = `Correct it; until then ${agent.title} may run none of its hooks.`;
    if (typeof problem === "string") return [fail(`${path} cannot be read: ${problem}`, correct)];
    const { line, column, expected, found } = problem ?? foreign ?? {};
    if (line === undefined) return [];
    const what = `${path}:${line}:${column}: expected ${expected}, found ${found}`;
    if (foreign === null) return [fail(what, correct)];
    const mend = `checkpoint init --mend --agent ${agent.name}${scope === "project" ? " --project" : ""}`;
    return [fail(`${what}: ${agent.title} runs none of the hooks in it`, `Remove it, or: ${mend}`)];
  });
}

/** Whether our command is registered for stops and prompts, and for the right agent. */
function checkRegistered(subject: AgentCase): Found {
  const { hooks, agent, installed, isWanted, machine } = subject;
  const stops = hooks.filter(({ kind }) => kind === "stop");
  if (stops.length === 0) {
    const version = installed?.version ?? null;
    const isTooOld = version !== null && agent.events.some(({ since }) => !isAtLeast(version, since));
    const fix = isTooOld ? updateAdvice(agent, version) : initCommand(agent);
    return otherDelivery(subject) ?? (isWanted ? fail : warn)("not registered: stops are not judged", fix);
  }
  const anew = `Register it anew: ${initCommand(agent)}`;
  const findings = hooks
    .filter((hook) => hook.call?.agent !== agent.name && !isInItsFile(hook, machine))
    .map((hook) => {
      const other = hook.call?.agent ?? "nobody we know";
      return fail(`${placeOf(hook)} calls our program as --agent ${other}`, anew);
    });
  if (!hooks.some(({ kind }) => kind === "prompt")) {
    const event = agent.events.find(({ kind }) => kind === "prompt")?.name ?? "";
    const what = `${event} is not registered: where a turn began is read from the transcript alone`;
    findings.push(warn(what, `Register it: ${initCommand(agent)}`));
  }
  return findings.length > 0 ? findings : ok([...new Set(stops.map(({ file }) => file))].join(" and "));
}

const RECENTLY_MS = 7 * 24 * 60 * 60 * 1000;

/** A message can arrive another way: by the agent's other route, or by the hook of a plugin, which no settings file shows. */
function otherDelivery(subject: AgentCase): Finding | null {
  const { agent, machine, installed } = subject;
  const { otherRoute } = agent;
  const isServed = otherRoute !== null && isAtLeast(installed?.version ?? otherRoute.since, otherRoute.since);
  const deliverer = isServed ? otherRoute.find(machine.home) : null;
  if (deliverer !== null) return ok(`no hook; ${otherRoute?.command} delivers (${deliverer})`);
  const last = lastStop(subject);
  if (last === null || machine.now().getTime() - last.at.getTime() > RECENTLY_MS) return null;
  const seen = `a stop was seen ${formatAgo(last.at, machine.now())}`;
  return warn(
    `no hook in the settings, but ${seen}: a plugin, or another folder's settings`,
    `If that was not intended: ${initCommand(agent)}`,
  );
}

/** Whether an event calls our program more than once. */
function checkDuplicates({ hooks, agent }: AgentCase): Found {
  const repeated = agent.events
    .map(({ name }) => ({ name, same: hooks.filter(({ event }) => event === name) }))
    .filter(({ same }) => same.length > 1);
  if (repeated.length === 0) return null;
  const places = new Set(repeated.flatMap(({ same }) => same.map(placeOf)));
  return warn(
    `more than one hook for ${repeated.map(({ name }) => name).join(" and ")}: ${[...places].join(", ")}`,
    "A turn is still blocked only once, but every call takes time: keep one.",
  );
}

/** Whether the gate before tools is registered if the rules ask for it; switching it on in a config alone does nothing. */
function checkGate({ machine, agent, files, hooks }: AgentCase): Found {
  const loaded = loadRules(machine.projectRoot, machine.home);
  if (hooks.length === 0 || !loaded.ok || loaded.rules.safety?.gate !== true) return null;
  const { name } = agent.gateEvent;
  if (files.some(({ registrations }) => registrations.some(({ event, isOurs }) => isOurs && event === name)))
    return ok(name);
  const what = `\`safety.gate\` is on, and ${name} is not registered: no tool is denied`;
  return warn(what, `Register it: ${initCommand(agent)}`);
}

/** Whether the program that the registered commands name exists, can run, and belongs to this installation. */
async function checkProgram(subject: AgentCase): Promise<Found> {
  const distinct = [...new Map(subject.hooks.map((hook) => [hook.command, hook])).values()];
  const found = await Promise.all(distinct.map((hook) => judgeProgram(hook, subject)));
  const problems = found.filter(({ level }) => level !== "ok");
  return problems.length > 0 ? problems : found.slice(0, 1);
}

async function judgeProgram(hook: OwnHook, { agent, ownPrograms, machine }: AgentCase): Promise<Finding> {
  const { node = null, program = null, isWrittenByInit = false } = hook.call ?? {};
  const names = (what: string) => `${placeOf(hook)} names ${what}`;
  if (program === null) {
    // Only the canary can find out what a command of the user's own does.
    if (!isWrittenByInit) return ok("a command of your own");
    const local = join(machine.projectRoot, "node_modules", ".bin", HOOK_PROGRAM);
    const found = findOnPath(HOOK_PROGRAM, machine.env["PATH"]) ?? (isProgram(local) ? local : null);
    if (found !== null) return ok(found);
    return fail(
      `${placeOf(hook)} calls ${HOOK_PROGRAM}, which is neither on the PATH nor in node_modules/.bin: every stop passes`,
      "Install @agent-checkpoint/cli in the project, or for the user.",
    );
  }
  const anew = initCommand(agent);
  if (node !== null && !isProgram(node)) return fail(names(`the node ${node}, which is gone: every stop passes`), anew);
  if (!existsSync(program)) return fail(names(`${program}, which is gone: every stop passes`), anew);
  const version = node === null ? null : await versionOfNode(node);
  if (version !== null && isNodeTooOld(version))
    return fail(names(`Node ${version}, which is older than ${OLDEST_NODE}: every stop passes`), anew);
  if (isInRunnerCache(program))
    return warn(
      names(`a program in the cache of a runner such as npx, which is emptied some day: ${program}`),
      `Install @agent-checkpoint/cli for good, then: ${anew}`,
    );
  const [ownProgram] = ownPrograms;
  if (ownProgram !== undefined && !ownPrograms.includes(realpathSync(program))) {
    const what = names(`another installation than this one: ${program}`);
    return warn(what, `This one is ${ownProgram}. To register it: ${anew}`);
  }
  const runtime = node === null ? "an executable" : `with Node ${version ?? "of an unknown version"}`;
  return ok(`${program}, ${runtime}`);
}

async function versionOfNode(node: string): Promise<string | null> {
  const { stdout } = await execa(node, ["--version"], { reject: false, stdin: "ignore", timeout: 5000 });
  return /^v(?<version>\d.*)/.exec(stdout ?? "")?.groups?.["version"] ?? null;
}

const MIN_TIMEOUT_MS = 5000;

/** Whether the agent waits long enough for the answer. */
function checkTimeout({ hooks, agent }: AgentCase): Found {
  const timeouts = [...new Set(hooks.map(({ timeout }) => timeout))];
  return timeouts.flatMap((timeout) => {
    const places = hooks.filter((hook) => hook.timeout === timeout).map(placeOf);
    const judged = judgeTimeout(timeout, agent);
    return judged === null ? [] : [{ ...judged, what: `${judged.what} (${places.join(", ")})` }];
  });
}

function judgeTimeout(timeout: OwnHook["timeout"], agent: Agent): Finding | null {
  const { value, unit } = agent.timeout;
  const fix = `Set it to ${value}, or: ${initCommand(agent)}`;
  if (timeout === null) return null;
  if (typeof timeout === "string") return fail(`"${timeout}" is a string: ${agent.title} ignores the hook`, fix);
  if (unit === "milliseconds" && timeout < 1000) return fail(`${timeout} milliseconds: were seconds meant?`, fix);
  if (unit === "seconds" && timeout >= 1000) return warn(`${timeout} seconds: were milliseconds meant?`, fix);
  const milliseconds = unit === "seconds" ? timeout * 1000 : timeout;
  if (milliseconds >= MIN_TIMEOUT_MS) return null;
  return warn(`${milliseconds / 1000} seconds, which may be too short on a busy machine`, fix);
}

/** Whether something in the agent's settings keeps our hooks from running. */
function checkBlockers({ hooks, blockers }: AgentCase): Found {
  if (hooks.length === 0) return null;
  return blockers.map(({ id, file, what, fix }) =>
    // The agent asks about a new folder at its next start.
    id === "folder-not-yet-trusted" ? warn(what, fix) : fail(`${file}: ${what}`, fix),
  );
}

/** Whether the person has allowed our hooks in the agent. */
function checkTrust({ agent, installed, files, machine }: AgentCase): Found {
  const findings = agent.trust(files, machine, installed?.version ?? null);
  return findings.map((finding) => (finding.ok ? ok(finding.what) : fail(finding.what, finding.fix)));
}

/** Whether the registered command blocks a made-up stop, once. */
function checkCanary({ canaries, canaryProblem, hooks, machine }: AgentCase): Found {
  if (hooks.some(({ kind }) => kind === "stop") && canaryProblem !== null)
    return fail(`none was sent: ${canaryProblem}`, "Fix that, then run doctor again.");
  const findings = canaries.map((canary) => judgeCanary(canary, join(machine.home, "checkpoint.log")));
  // Of several commands that work, one line is enough.
  const firstGood = findings.findIndex(({ level }) => level === "ok");
  return findings.filter(({ level }, index) => level !== "ok" || index === firstGood);
}

function judgeCanary({ hook, wrong, isRecorded, logged }: SentCanary, log: string): Finding {
  if (wrong !== null) {
    const why = logged === null ? "" : ` (log: ${logged})`;
    const what = `the command of ${placeOf(hook)} ${wrong.what}${why}`;
    return (wrong.isHarmless === true ? warn : fail)(what, wrong.fix ?? `Read ${log}`);
  }
  if (isRecorded === false)
    return warn(
      "a made-up stop was blocked, but is not in this store: the command writes to another one",
      "Check that CHECKPOINT_HOME is the same for the agent, its hooks and this shell.",
    );
  return ok("a made-up stop was blocked once, the same stop then passed");
}

/** A delay that a person does not notice at the end of a turn. */
const BUDGET_MS = 250;
/** A judged stop takes about four times what Node takes to start; on a slow or busy machine both take longer. */
const MAX_TIMES = 6;

/** How long one judged stop takes, against a budget and against the start of Node itself. */
export function checkLatency({
  canaries,
  nodeStartMs,
}: Pick<AgentCase, "nodeStartMs"> & { readonly canaries: readonly Pick<SentCanary, "stopMs">[] }): Finding | null {
  const measured = canaries.map(({ stopMs }) => stopMs).filter((ms) => ms !== null);
  if (measured.length === 0 || nodeStartMs === null) return null;
  const ms = Math.max(...measured);
  const times = ms / nodeStartMs;
  const what = `${Math.round(ms)} ms for a judged stop, ${times.toFixed(1)} times the start of Node (${Math.round(nodeStartMs)} ms)`;
  if (ms <= BUDGET_MS) return ok(what);
  if (times <= MAX_TIMES) return ok(`${what}: above the budget of ${BUDGET_MS} ms, as this machine is slow or busy`);
  return warn(
    `${what}; the budget is ${BUDGET_MS} ms`,
    "Check what else the command runs; a wrapper such as npx takes time.",
  );
}

/** When the agent last called the hook by itself. */
function checkLastFiring(subject: AgentCase): Found {
  const { machine, agent, hooks } = subject;
  const last = lastStop(subject);
  if (last !== null) {
    const what = `${last.decision === "block" ? "blocked" : "passed"}, ${last.reason}`;
    return ok(`${formatAgo(last.at, machine.now())} (${what})`);
  }
  if (hooks.length === 0) return null;
  return warn(
    `${agent.title} has not called the hook yet`,
    `Start a new session of ${agent.title}, give it something to do, and run doctor again.`,
  );
}

/** Whether the last stop could tell how full the context was; without that nothing is saved at a threshold. */
function checkSaving(subject: AgentCase): Found {
  const last = lastStop(subject);
  if (last?.save !== "usage-unknown") return null;
  const path = last.trail?.transcriptPath ?? null;
  const usage = path === null ? null : readContextUsage(path, subject.agent.name);
  const model = usage?.status === "known" ? (usage.model ?? null) : null;
  const what = model === null ? "how full the context was is unknown" : `the window of the model ${model} is unknown`;
  return warn(
    `${what}: no work is saved at the threshold`,
    "Set `save.contextWindow` in the config, or show `checkpoint statusline` in the agent's status line.",
  );
}

function lastStop({ machine: { store }, agent }: AgentCase): StoredStop | null {
  return store.contents?.lastStops.find((stop) => stop.agent === agent.name) ?? null;
}

function initCommand({ name }: Agent): string {
  return `checkpoint init --agent ${name}`;
}
