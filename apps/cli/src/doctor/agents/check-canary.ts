import { join } from "node:path";
import { fail, type Finding, ok, warn } from "../finding.ts";
import { type AgentCase, placeOf, type SentCanary } from "./agent-case.ts";

/** Whether the registered command blocks a made-up stop, once. */
export function checkCanary({ canaries, canaryProblem, hooks, machine }: AgentCase): readonly Finding[] {
  if (hooks.some(({ kind }) => kind === "stop") && canaryProblem !== null)
    return [fail(`none was sent: ${canaryProblem}`, "Set that right, then run the doctor again.")];
  const findings = canaries.map((canary) => judge(canary, join(machine.home, "checkpoint.log")));
  // Of several commands that work, one line is enough.
  return findings.filter(
    ({ level }, index) => level !== "ok" || findings.findIndex((one) => one.level === "ok") === index,
  );
}

function judge({ hook, outcome, isRecorded, logged }: SentCanary, log: string): Finding {
  const { verdict } = outcome;
  if (!verdict.ok) {
    const why = logged === null ? "" : ` (log: ${logged})`;
    const what = `the command of ${placeOf(hook)} ${verdict.what}${why}`;
    const fix = verdict.fix ?? `Read ${log}`;
    return verdict.isHarmless === true ? warn(what, fix) : fail(what, fix);
  }
  if (isRecorded === false)
    return warn(
      "a made-up stop was blocked, but is not in this store: the command writes to another one",
      "See that CHECKPOINT_HOME is the same for the agent, its hooks and this shell.",
    );
  return ok("a made-up stop was blocked once, the same stop then passed");
}
