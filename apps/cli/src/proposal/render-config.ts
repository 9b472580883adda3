import { TESTS_ACTION } from "@agent-checkpoint/categories";
import type { ProposalRows, ProposedRow, ProposedRows } from "./proposal-rows.ts";

/** Where editors find the schema of the config file. */
export const SCHEMA_URL = "https://unpkg.com/@agent-checkpoint/categories/schema/checkpoint.config.schema.json";

const WIDTH = 100;

/** The text of a config file, each row under a comment that says where it was found. */
export function renderConfig({ preset, presetWhere, actions, categories }: ProposalRows): string {
  const members = [
    `  "$schema": ${JSON.stringify(SCHEMA_URL)}`,
    `  ${comment(presetWhere)}\n  "preset": ${JSON.stringify(preset)}`,
    ...list("actions", actions),
    ...list("categories", categories),
    ...modes(actions),
  ];
  return `{\n${members.join(",\n")}\n}\n`;
}

/** The rows alone, to be put into a config that exists. */
export function renderRows({ actions, categories }: ProposedRows): string {
  const lists = [...list("actions", actions), ...list("categories", categories), ...modes(actions)];
  return lists.length === 0 ? "" : `${lists.join(",\n")}\n`;
}

function list(key: string, rows: readonly ProposedRow<unknown>[]): readonly string[] {
  if (rows.length === 0) return [];
  const items = rows.map(({ entry, where }) => `    ${comment(where)}\n    ${render(entry, 4)}`);
  return [`  "${key}": [\n${items.join(",\n")}\n  ]`];
}

/** What is found beside the tests begins in shadow: it is counted, and a person promotes what proves its worth. */
function modes(actions: ProposedRows["actions"]): readonly string[] {
  const silent = actions.filter(({ entry }) => entry.id !== TESTS_ACTION).map(({ entry }) => [entry.id, "shadow"]);
  if (silent.length === 0) return [];
  const words = "// shadow: counted and never said; `checkpoint rules` tells which of them are worth asking for";
  return [`  ${words}\n  "modes": ${render(Object.fromEntries(silent), 2)}`];
}

/** A comment of one line; a file's name may hold anything. */
function comment(text: string): string {
  return `// ${text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "?")}`;
}

/** A value on one line where it fits, else with each member on a line of its own. */
function render(value: unknown, indent: number): string {
  const flat = renderFlat(value);
  if (indent + flat.length <= WIDTH || typeof value !== "object" || value === null) return flat;
  const space = " ".repeat(indent + 2);
  const items = Array.isArray(value)
    ? value.map((item) => render(item, indent + 2))
    : Object.entries(value).map(([key, inner]) => `${JSON.stringify(key)}: ${render(inner, indent + 2)}`);
  const [open, close] = Array.isArray(value) ? ["[", "]"] : ["{", "}"];
  return `${open}\n${items.map((item) => space + item).join(",\n")}\n${" ".repeat(indent)}${close}`;
}

function renderFlat(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(renderFlat).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([key, inner]) => `${JSON.stringify(key)}: ${renderFlat(inner)}`);
  return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
}
