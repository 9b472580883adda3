import { textAt } from "../../read/json.ts";
import type { Call, Outcome } from "../../turn/calls.ts";

/** A patch that an event reports. */
export interface AppliedPatch {
  readonly callId: string;
  readonly offset: number;
  readonly files: readonly string[];
}

/**
 * The commands that a code-mode script ran, the last first.
 *
 * Up to 0.147 only the script's output shows their outcome, and it counts as that of the last command.
 */
export function scriptCalls(script: Call): readonly Call[] {
  return commandsInScript(sourceOf(script))
    .map(({ command, workdir }, index): Call => ({
      ...script,
      id: `${script.id}#${index}`,
      toolName: "exec_command",
      kind: "shell",
      inputData: { cmd: command },
      command,
      cwd: workdir ?? script.cwd,
    }))
    .toReversed();
}

/** The outcome of the last command of each script, from what the script printed or from the `wait` that saw its end. */
export function scriptOutcomes({
  calls,
  outcomes,
  runningCells,
}: {
  readonly calls: ReadonlyMap<string, Call>;
  readonly outcomes: ReadonlyMap<string, Outcome>;
  readonly runningCells: ReadonlyMap<string, string>;
}): ReadonlyMap<string, Outcome> {
  const ends = new Map<string, Outcome>();
  const ordered = [...calls.values()].sort((one, other) => one.offset - other.offset);
  for (const call of ordered) {
    const outcome = outcomes.get(call.id);
    const cell = call.toolName === "wait" ? runningCells.get(String(call.inputData["cell_id"])) : undefined;
    if (outcome !== undefined) ends.set(cell ?? call.id, outcome);
  }
  return new Map(
    ordered.flatMap((script) => {
      const [last] = scriptCalls(script);
      const end = ends.get(script.id);
      if (last === undefined || end === undefined) return [];
      const hadError = end.exitCode === null ? null : end.exitCode !== 0;
      return [[last.id, { ...end, hadError }] as const];
    }),
  );
}

/** A script's patches are reported by events that name no call: they belong to the script before them. */
export function withScriptPatches(
  script: Call,
  { calls, patches }: { readonly calls: ReadonlyMap<string, Call>; readonly patches: readonly AppliedPatch[] },
): Call {
  if (sourceOf(script) === "") return script;
  const next = [...calls.values()].findLast(({ offset }) => offset > script.offset)?.offset ?? Infinity;
  const own = patches.filter(({ callId, offset }) => !calls.has(callId) && offset > script.offset && offset < next);
  return own.length === 0 ? script : { ...script, kind: "edit", files: own.flatMap(({ files }) => files) };
}

function sourceOf({ toolName, inputData }: Call): string {
  return (toolName === "exec" && textAt(inputData, "input")) || "";
}

/** A command that a script runs: `exec_command` with a command line that is written out. */
const EXEC_COMMAND =
  /\bexec_command\(\s*\{[^{}]*?["']?\bcmd["']?\s*:\s*("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\$]|\\.)*`)(?:[^{}]*?["']?\bworkdir["']?\s*:\s*["'`]([^"'`\n]*)["'`])?/g;

/**
 * The command lines that are written out in a code-mode script.
 *
 * A command line that is put together at run time is left out, not guessed.
 */
export function commandsInScript(script: string): readonly ScriptCommand[] {
  return [...script.slice(0, LONGEST).matchAll(EXEC_COMMAND)].map(([, literal = "", workdir]) => ({
    command: unescape(literal.slice(1, -1)),
    workdir: workdir ?? null,
  }));
}

/** A command of a script, and the folder that it runs in, if the script names one. */
export interface ScriptCommand {
  readonly command: string;
  readonly workdir: string | null;
}

/** Longer than any script that a model writes; the pattern runs out of memory on a literal of many megabytes. */
const LONGEST = 1024 * 1024;

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r" };

function unescape(text: string): string {
  return text.replace(/\\([\s\S])/g, (_whole, character: string) => ESCAPES[character] ?? character);
}
