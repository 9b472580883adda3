import { closeSync, existsSync, fstatSync, openSync, readSync } from "node:fs";
import { join } from "node:path";
import type { SettingsPlace } from "@agent-checkpoint/agents";
import { describeProblem } from "@agent-checkpoint/categories";
import { loadRules } from "@agent-checkpoint/composer";
import { isNodeTooOld, OLDEST_NODE } from "@agent-checkpoint/files/node-version";
import { runGit } from "@agent-checkpoint/git";
import { configInMainTree, describeMainConfig, readConfigs } from "../config/check-config.ts";
import { outdatedConfig } from "../proposal/outdated-config.ts";
import { proposeConfig } from "../proposal/propose-config.ts";
import { counted } from "../terminal/layout.ts";
import { formatAgo } from "../time/format-time.ts";
import { type Check, fail, type Found, ok, warn } from "./check.ts";
import { checkStore, type StoreFacts } from "./store-checks.ts";

/** What the checks of the machine look at; the project is the repository that the doctor was called in. */
export interface Machine extends SettingsPlace {
  readonly home: string;
  readonly now: () => Date;
  readonly store: StoreFacts;
}

/** The checks that concern no single agent. */
export const MACHINE_CHECKS: readonly Check<Machine>[] = [
  { id: "node", title: "Node", run: checkNode },
  { id: "git", title: "git", run: checkGit },
  { id: "config", title: "config", run: checkConfig },
  { id: "config-fits", title: "config fits", run: checkOutdated },
  { id: "store", title: "store", run: checkStore },
  { id: "clock", title: "clock", run: checkClock },
  { id: "log", title: "log", run: checkLog },
  { id: "snooze", title: "snooze", run: checkSnooze },
  { id: "moved", title: "rules moved", run: checkMoved },
];

function checkNode(): Found {
  const { node } = process.versions;
  return isNodeTooOld(node) ? fail(`${node} is too old`, `Install Node ${OLDEST_NODE} or newer.`) : ok(node);
}

/** Whether git is there; without it no change is seen. */
async function checkGit({ env, projectRoot }: Machine): Promise<Found> {
  const git = await runGit(["--version"], { cwd: projectRoot, timeoutMs: 5000, env: { PATH: env["PATH"] ?? "" } });
  const version = git.ok ? /\d+\.[\w.]+/.exec(git.stdout.toString("utf8"))?.[0] : undefined;
  return version !== undefined
    ? ok(version)
    : fail("git was not found: changes cannot be seen", "Install git, and see that the agent's PATH contains it.");
}

/** Whether the rules of this folder can be used. */
function checkConfig({ projectRoot, home }: Machine): Found {
  const loaded = loadRules(projectRoot, home);
  if (!loaded.ok)
    return loaded.problems.map((problem) =>
      fail(describeProblem(problem), "Correct it; until then a stop shows this instead of a checklist."),
    );
  const main = configInMainTree(projectRoot);
  if (main === null)
    return ok(`${loaded.configFile ?? "no checkpoint.config.json here"}, preset ${loaded.rules.preset}`);
  const { what, fix } = describeMainConfig(main);
  return warn(what, fix);
}

/** Whether the repository still has what its config names. */
async function checkOutdated({ projectRoot, home }: Machine): Promise<Found> {
  const config = readConfigs(projectRoot, home).at(-1)?.named?.config;
  if (config === undefined) return null;
  const { facts } = await proposeConfig(projectRoot);
  const outdated = outdatedConfig(config, { facts, hasPath: (path) => existsSync(join(projectRoot, path)) });
  const fix = "Correct the row in checkpoint.config.json; `checkpoint init --explain` shows what the repository has.";
  return outdated.length === 0 ? ok("names what the repository has") : outdated.map((what) => warn(what, fix));
}

/** Clocks of two machines with one home may differ a little. */
const TOLERANCE_MS = 60_000;

/** Whether the clock agrees with the records. */
function checkClock({ env, store: { contents }, now }: Machine): Found {
  const fixed = env["CHECKPOINT_NOW"];
  if (fixed)
    return warn(`CHECKPOINT_NOW is set: every stop is judged as of ${fixed}`, "Unset it; it is for tests and replays.");
  if (contents === null) return null;
  const { newestAt } = contents;
  if (newestAt === null || newestAt.getTime() <= now().getTime() + TOLERANCE_MS)
    return ok("no record is from the future");
  return warn(
    `the newest record is from ${newestAt.toISOString()}, in the future: the clock says ${now().toISOString()}`,
    "Correct the clock; until then stops of a session with such a record pass.",
  );
}

/** The faults of the last day in the log. */
function checkLog({ home, now }: Machine): Found {
  const path = join(home, "checkpoint.log");
  const faults = readLogFaults(path, now());
  const latest = faults.at(-1);
  if (latest === undefined) return ok("no fault in the last 24 hours");
  const when = `${counted(faults.length, "fault")} in the last 24 hours, the latest ${formatAgo(latest.at, now())}`;
  return warn(`${when}: ${latest.text}`, `Read ${path}`);
}

/** A line of the log that tells of a fault. */
interface LogFault {
  readonly at: Date;
  readonly text: string;
}

const TAIL_BYTES = 256 * 1024;
const DAY_MS = 24 * 60 * 60 * 1000;
const FAULT = /^(\S+) (?:warn|error) (.+)$/;

/** The faults of the last 24 hours in the end of a log, the latest last; none if there is no log. */
export function readLogFaults(path: string, now: Date): readonly LogFault[] {
  return readTail(path)
    .split("\n")
    .flatMap((line) => {
      const [, time = "", text = ""] = FAULT.exec(line) ?? [];
      const at = new Date(time);
      return now.getTime() - at.getTime() < DAY_MS ? [{ at, text }] : [];
    });
}

function readTail(path: string): string {
  if (!existsSync(path)) return "";
  const file = openSync(path, "r");
  try {
    const { size } = fstatSync(file);
    const bytes = Buffer.alloc(Math.min(size, TAIL_BYTES));
    readSync(file, bytes, 0, bytes.length, size - bytes.length);
    return bytes.toString("utf8");
  } finally {
    closeSync(file);
  }
}

/** The rules of this repository that the program has made quieter, if the config lets it, or has restored. */
function checkMoved({ store: { contents }, now }: Machine): Found {
  const moved = contents?.moved ?? [];
  if (moved.length === 0) return null;
  return moved.map(({ rule, agent, mode, since }) => {
    const who = agent === "" ? "" : ` for ${agent}`;
    const when = formatAgo(since, now());
    return mode === "require"
      ? ok(`${rule} came back to require${who} ${when}, because it is heard again`)
      : ok(
          `${rule} was moved to ${mode}${who} ${when}, because it was mostly ignored or waived; checkpoint rules shows more`,
        );
  });
}

/** Whether a user has snoozed the checkpoint. */
function checkSnooze({ store: { contents } }: Machine): Found {
  return (contents?.snoozes ?? []).map(({ scope, until }) => {
    const where = scope.kind === "project" ? scope.projectPath : `${scope.agent} session ${scope.sessionId}`;
    return warn(`stops pass until ${until.toISOString()}: ${where}`, "End it there: checkpoint snooze --off");
  });
}
