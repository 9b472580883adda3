import { textAt } from "../../read/json.ts";
import type { Call } from "../../turn/call.ts";
import { commandsInScript } from "./parse-script.ts";

/** A patch that an event tells of. */
export interface AppliedPatch {
  readonly callId: string;
  readonly offset: number;
  readonly files: readonly string[];
}

/**
 * The commands that a code-mode script ran, the last first.
 *
 * Up to 0.147 nothing tells what became of them: that they were in the script is all there is.
 */
export const scriptCalls = (script: Call): readonly Call[] =>
  commandsInScript(sourceOf(script))
    .map((command, index): Call => ({
      ...script,
      id: `${script.id}#${index}`,
      toolName: "exec_command",
      kind: "shell",
      inputData: { cmd: command },
      command,
    }))
    .toReversed();

/** A script's patches are told by events that name no call: they belong to the script before them. */
export const withScriptPatches = (
  script: Call,
  { calls, patches }: { readonly calls: ReadonlyMap<string, Call>; readonly patches: readonly AppliedPatch[] },
): Call => {
  if (sourceOf(script) === "") return script;
  const next = [...calls.values()].findLast(({ offset }) => offset > script.offset)?.offset ?? Infinity;
  const own = patches.filter(({ callId, offset }) => !calls.has(callId) && offset > script.offset && offset < next);
  return own.length === 0 ? script : { ...script, kind: "edit", files: own.flatMap(({ files }) => files) };
};

const sourceOf = ({ toolName, inputData }: Call): string => (toolName === "exec" && textAt(inputData, "input")) || "";
