import { existsSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { findOnPath, HOOK_PROGRAM, isInRunnerCache, isProgram } from "@agent-checkpoint/agents";
import { isNodeTooOld, OLDEST_NODE } from "@agent-checkpoint/node-version";
import { execa } from "execa";
import { fail, type Finding, ok, warn } from "../finding.ts";
import { type AgentCase, type OwnHook, placeOf } from "./agent-case.ts";

/** Whether what the registered commands name is there, can run, and is this installation. */
export async function checkProgram(subject: AgentCase): Promise<readonly Finding[]> {
  const distinct = [...new Map(subject.hooks.map((hook) => [hook.command, hook])).values()];
  const found = await Promise.all(distinct.map((hook) => judgeHook(hook, subject)));
  const problems = found.flat().filter(({ level }) => level !== "ok");
  return problems.length > 0 ? problems : found.flat().slice(0, 1);
}

async function judgeHook(hook: OwnHook, subject: AgentCase): Promise<readonly Finding[]> {
  const { node, program, isWrittenByInit } = hook.call ?? { node: null, program: null, isWrittenByInit: false };
  if (node !== null && program !== null) return judgePaths(hook, { node, program }, subject);
  // What a command of the person's own does is for the canary to find out.
  if (!isWrittenByInit) return [ok("a command of your own")];
  const found = findProgram(subject);
  if (found !== null) return [ok(found)];
  return [
    fail(
      `${placeOf(hook)} calls ${HOOK_PROGRAM}, which is neither on the PATH nor in node_modules/.bin: every stop passes`,
      "Install @agent-checkpoint/cli in the project, or for the person.",
    ),
  ];
}

async function judgePaths(
  hook: OwnHook,
  { node, program }: { readonly node: string; readonly program: string },
  { settings, ownProgram }: AgentCase,
): Promise<readonly Finding[]> {
  const anew = `checkpoint init --agent ${settings.agent}`;
  if (!isProgram(node))
    return [fail(`${placeOf(hook)} names the node ${node}, which is gone: every stop passes`, anew)];
  if (!existsSync(program)) return [fail(`${placeOf(hook)} names ${program}, which is gone: every stop passes`, anew)];
  const { stdout } = await execa(node, ["--version"], { reject: false, stdin: "ignore", timeout: 5000 });
  const version = stdout?.replace(/^v/, "") ?? "";
  if (/^\d/.test(version) && isNodeTooOld(version))
    return [
      fail(`${placeOf(hook)} names Node ${version}, which is older than ${OLDEST_NODE}: every stop passes`, anew),
    ];
  if (isInRunnerCache(program))
    return [
      warn(
        `${placeOf(hook)} names a program in the cache of a runner such as npx, which goes away some day: ${program}`,
        `Install @agent-checkpoint/cli for good, then: ${anew}`,
      ),
    ];
  if (ownProgram !== null && realpathSync(program) !== ownProgram)
    return [
      warn(
        `${placeOf(hook)} names another installation than this one: ${program}`,
        `This one is ${ownProgram}. To register it: ${anew}`,
      ),
    ];
  return [ok(program)];
}

function findProgram({ machine, place }: AgentCase): string | null {
  const local = join(place.projectRoot, "node_modules", ".bin", HOOK_PROGRAM);
  return findOnPath(HOOK_PROGRAM, machine.env["PATH"]) ?? (isProgram(local) ? local : null);
}
