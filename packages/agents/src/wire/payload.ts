import type { ParsedEvent, Payload, ToolEvent, ToolTarget } from "./wire.ts";

/**
 * What a field of a payload may hold, and how it is read; undefined if it holds something else.
 * A library for this would take as long to load and run as all else that a stop needs that passes by its flag.
 */
interface Field<Output> {
  readonly expected: string;
  readonly read: (value: unknown) => Output | undefined;
}

/** The fields of an agent's payloads, by name. */
type Fields<Output> = { readonly [Name in keyof Output]: Field<Output[Name]> };

/** A field that has to be a string. */
export const name: Field<string> = {
  expected: "a string",
  read: (value) => (typeof value === "string" ? value : undefined),
};

/** A field that may be missing, null or a string; an empty string is as good as none. */
export const text: Field<string | null> = {
  expected: "a string",
  read: (value) => (value === undefined || value === null || value === "" ? null : name.read(value)),
};

/** A field that may be missing, null or a boolean. */
export const flag: Field<boolean> = {
  expected: "true or false",
  read: (value) => (value === undefined || value === null ? false : typeof value === "boolean" ? value : undefined),
};

/** A field that may hold anything. */
export const anything: Field<{ readonly value: unknown }> = {
  expected: "anything",
  read: (value) => ({ value }),
};

const MAX_ITEMS = 100;

/** A field that may be missing, null or a list of objects; the first ones are read. */
export const objects: Field<readonly Payload[]> = {
  expected: "a list of objects",
  read: (value) => {
    if (value === undefined || value === null) return [];
    const items: readonly unknown[] | undefined = Array.isArray(value) ? value.slice(0, MAX_ITEMS) : undefined;
    return items?.every((item): item is Payload => typeof item === "object" && item !== null) ? items : undefined;
  },
};

/** Reads the fields of a payload and turns them into an event. */
export function parsePayload<Output extends object>(
  fields: Fields<Output>,
  payload: Payload,
  toEvent: (fields: Output) => ParsedEvent,
): ParsedEvent {
  const found: Partial<Output> = {};
  for (const key of Object.keys(fields) as (keyof Output & string)[]) {
    const { expected, read } = fields[key];
    const value = read(Object.hasOwn(payload, key) ? payload[key] : undefined);
    if (value === undefined)
      return { ok: false, detail: `${key}: expected ${expected}, found ${kindOf(payload[key])}` };
    found[key] = value;
  }
  return toEvent(found as Output);
}

function kindOf(value: unknown): string {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  return Array.isArray(value) ? "a list" : typeof value;
}

/** The tools of an agent that change something, and where their input says what; every other one passes. */
export type ChangingTools = Readonly<Record<string, (input: ToolInput) => ToolTarget | null>>;

type ToolInput = Readonly<Record<string, unknown>>;

/** A tool that changes the file named by a key. */
export function changesFile(key: string): ChangingTools[string] {
  return (input) => {
    const file = input[key];
    return typeof file === "string" && file !== "" ? { kind: "files", files: [file] } : null;
  };
}

/** A tool that runs the command line under a key. */
export function runsCommand(key: string): ChangingTools[string] {
  return (input) => {
    const command = input[key];
    return typeof command === "string" && command.trim() !== "" ? { kind: "shell", command } : null;
  };
}

/** More files than a patch that is read by a person. */
const MAX_FILES = 1000;

/** A tool that applies the patch under a key: its headings name the files. With too many it is as good as a command. */
export function appliesPatch(key: string): ChangingTools[string] {
  return (input) => {
    const patch = input[key];
    if (typeof patch !== "string") return null;
    const files: string[] = [];
    for (const [, file = ""] of patch.matchAll(/^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.+)$/gm)) {
      if (files.length === MAX_FILES) return { kind: "shell", command: "apply_patch" };
      files.push(file.trimEnd());
    }
    return files.length === 0 ? null : { kind: "files", files };
  };
}

/** The event of a tool that is about to run in a project, from the fields that agents have for it. */
export function toolEvent(
  tools: ChangingTools,
  projectPath: string,
  fields: {
    readonly tool_name: string | null;
    readonly tool_input: { readonly value: unknown };
    readonly cwd: string | null;
  },
): ToolEvent {
  const { tool_name: tool, tool_input: input, cwd } = fields;
  return {
    type: "tool",
    tool: tool ?? "",
    target: targetOf(tools, tool, input.value),
    projectPath,
    cwd: cwd || projectPath,
  };
}

function targetOf(tools: ChangingTools, tool: string | null, input: unknown): ToolTarget | null {
  if (tool === null || !Object.hasOwn(tools, tool) || typeof input !== "object" || input === null) return null;
  return tools[tool]?.(input as ToolInput) ?? null;
}
