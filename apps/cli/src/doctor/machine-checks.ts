import { existsSync } from "node:fs";
import { join } from "node:path";
import { describeProblem } from "@agent-checkpoint/categories";
import { loadRules } from "@agent-checkpoint/composer";
import { isNodeTooOld, OLDEST_NODE } from "@agent-checkpoint/files/node-version";
import { execa } from "execa";
import { configInMainTree, describeMainConfig, readConfigs } from "../config/check-config.ts";
import type { Environment } from "../environment.ts";
import { outdatedConfig } from "../proposal/outdated-config.ts";
import { proposeConfig } from "../proposal/propose-config.ts";
import { counted } from "../terminal/layout.ts";
import { formatAgo } from "../time/format-time.ts";
import { type Check, fail, type Finding, ok, warn } from "./check.ts";
import { readLogFaults } from "./log-faults.ts";
import { checkStore, type StoreFacts } from "./store-checks.ts";

/** What the checks look at that are about no agent. */
export interface Machine extends Pick<Environment, "env" | "cwd" | "userHome" | "home" | "now"> {
  /** The root of the repository that the doctor was called in, else the folder itself. */
  readonly root: string;
  readonly nodeVersion: string;
  readonly store: StoreFacts;
}

/** What is looked at whatever the agent. */
export const MACHINE_CHECKS: readonly Check<Machine>[] = [
  { id: "node", title: "Node", run: checkNode },
  { id: "git", title: "git", run: checkGit },
  { id: "config", title: "config", run: checkConfig },
  { id: "config-fits", title: "config fits", run: checkOutdated },
  { id: "store", title: "store", run: checkStore },
  { id: "clock", title: "clock", run: checkClock },
  { id: "log", title: "log", run: checkLog },
  { id: "snooze", title: "snooze", run: checkSnooze },
];

/** Whether the repository still has what its config names. */
async function checkOutdated({ root, home }: Machine): Promise<readonly Finding[]> {
  const config = readConfigs(root, home).at(-1)?.named?.config;
  if (config === undefined) return [];
  const { facts } = await proposeConfig(root);
  const said = outdatedConfig(config, { facts, hasPath: (path) => existsSync(join(root, path)) });
  const fix = "Correct the row in checkpoint.config.json; `checkpoint init --explain` shows what the repository has.";
  return said.length === 0 ? [ok("names what the repository has")] : said.map((what) => warn(what, fix));
}

function checkNode({ nodeVersion }: Machine): readonly Finding[] {
  return isNodeTooOld(nodeVersion)
    ? [fail(`${nodeVersion} is too old`, `Install Node ${OLDEST_NODE} or newer.`)]
    : [ok(nodeVersion)];
}

/** Whether git is there; without it no change is seen. */
async function checkGit({ env }: Machine): Promise<readonly Finding[]> {
  const options = { env, extendEnv: false, reject: false, stdin: "ignore", timeout: 5000 } as const;
  const { exitCode, stdout } = await execa("git", ["--version"], options);
  const version = /\d+\.[\w.]+/.exec(stdout ?? "")?.[0];
  return exitCode === 0 && version !== undefined
    ? [ok(version)]
    : [fail("git was not found: no change can be seen", "Install git, and see that the agent's PATH has it.")];
}

/** Whether the rules of this folder can be used. */
function checkConfig({ root, home }: Machine): readonly Finding[] {
  const loaded = loadRules(root, home);
  if (!loaded.ok)
    return loaded.problems.map((problem) =>
      fail(describeProblem(problem), "Correct it; until then stops bring this instead of a checklist."),
    );
  const main = configInMainTree(root);
  if (main !== null) {
    const { what, fix } = describeMainConfig(main);
    return [warn(what, fix)];
  }
  return [ok(`${loaded.configFile ?? "no checkpoint.config.json here"}, preset ${loaded.rules.preset}`)];
}

/** Clocks of two machines with one home may differ a little. */
const TOLERANCE_MS = 60_000;

/** Whether the clock can be what the records were written by. */
function checkClock({ env, store: { contents }, now }: Machine): readonly Finding[] {
  const fixed = env["CHECKPOINT_NOW"];
  if (fixed)
    return [
      warn(`CHECKPOINT_NOW is set: every stop is judged as of ${fixed}`, "Unset it; it is for tests and replays."),
    ];
  if (contents === null) return [];
  const { newestAt } = contents;
  if (newestAt === null || newestAt.getTime() <= now().getTime() + TOLERANCE_MS)
    return [ok("no record is from the future")];
  return [
    warn(
      `the newest record is from ${newestAt.toISOString()}, in the future: the clock says ${now().toISOString()}`,
      "Set the clock right; stops of a session with such a record pass until then.",
    ),
  ];
}

/** What went wrong in the last day, by the log. */
function checkLog({ home, now }: Machine): readonly Finding[] {
  const path = join(home, "checkpoint.log");
  const faults = readLogFaults(path, now());
  if (faults === null || faults.latest === null) return [ok("no fault in the last 24 hours")];
  const { count, latest } = faults;
  return [
    warn(
      `${counted(count, "fault")} in the last 24 hours, the latest ${formatAgo(latest.at, now())}: ${latest.text}`,
      `Read ${path}`,
    ),
  ];
}

/** Whether a person has told the checkpoint to wait. */
function checkSnooze({ store: { contents } }: Machine): readonly Finding[] {
  return (contents?.snoozes ?? []).map(({ scope, until }) => {
    const where = scope.kind === "project" ? scope.projectPath : `${scope.agent} session ${scope.sessionId}`;
    return warn(`stops pass until ${until.toISOString()}: ${where}`, "End it there: checkpoint snooze --off");
  });
}
