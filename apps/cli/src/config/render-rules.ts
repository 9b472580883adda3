import { type Action, type Category, TESTS_ACTION } from "@agent-checkpoint/categories";
import type { CommandContext } from "../commands/command-context.ts";
import { visible } from "../terminal/visible.ts";
import { wrapText } from "../terminal/wrap-text.ts";
import type { ExplainedRules, Sourced } from "./explain-rules.ts";

type Paper = Pick<CommandContext, "style" | "columns">;

/** The rules for a person: what is asked for, of which files, and which layer says so. */
export function renderRules(root: string, rules: ExplainedRules, paper: Paper): string {
  const { preset, actions, categories, settings, checks, off } = rules;
  const known = new Set(actions.map(({ value }) => value.id));
  const asking = categories.filter(({ value }) => asksOf(value, known).length > 0);
  const silent = categories.filter(({ value }) => asksOf(value, known).length === 0).map(({ value }) => value.id);
  const sections = [
    `Rules of ${paper.style.bold(visible(root))}\n${entry(`Preset ${preset.value}`, preset.source, paper).trimStart()}`,
    section(
      "Actions, in the order of the checklist",
      actions.map((row) => renderAction(row, paper)),
      paper,
    ),
    section(
      "Files that ask for something",
      asking.map((row) => renderCategory(row, known, paper)),
      paper,
    ),
    section("Files that ask for nothing", silent.length === 0 ? [] : [list(silent, paper)], paper),
    section(
      "Taken out",
      off.map(({ kind, id, source }) => entry(`${kind} ${id}`, source, paper)),
      paper,
    ),
    section(
      "Settings",
      settings.map(({ key, value, source }) => entry(`${key}: ${say(value)}`, source, paper)),
      paper,
    ),
    section(
      "Observations",
      checks.map(({ id, value, source }) => entry(`${id}: ${value ? "on" : "off"}`, source, paper)),
      paper,
    ),
  ];
  return sections.filter((text) => text !== "").join("\n");
}

function section(title: string, lines: readonly string[], { style }: Paper): string {
  return lines.length === 0 ? "" : `${style.bold(title)}\n${lines.join("")}`;
}

function renderAction({ value, source }: Sourced<Action>, paper: Paper): string {
  const steps = value.steps.map(({ evidence }) => detail("counts", evidence.join(", "), paper));
  return [entry(value.id, source, paper), detail("asks", value.instruction, paper), ...steps].join("");
}

function renderCategory({ value, source }: Sourced<Category>, known: ReadonlySet<string>, paper: Paper): string {
  const { id, include, exclude = [] } = value;
  return [
    entry(id, source, paper),
    detail("asks", asksOf(value, known).join(", "), paper),
    detail("files", include.join(" "), paper),
    exclude.length === 0 ? "" : detail("not", exclude.join(" "), paper),
  ].join("");
}

/** What a change to the row's files asks for; an action that was taken out is not asked for. */
function asksOf({ action, tests }: Category, known: ReadonlySet<string>): readonly string[] {
  const named = [...(action === null ? [] : [action]), ...(tests === false ? [] : [TESTS_ACTION])];
  return named.filter((id) => known.has(id));
}

/** A line with its source behind it. */
function entry(text: string, source: string, { style, columns }: Paper): string {
  const behind = `(${visible(source)})`;
  const wrapped = wrapText(`${visible(text)} ${behind}`, { columns, first: "  ", rest: "    " });
  return wrapped.replace(behind, () => style.dim(behind));
}

function detail(name: string, text: string, { columns }: Paper): string {
  return wrapText(visible(text), { columns, first: `    ${name.padEnd(8)}` });
}

function list(words: readonly string[], { columns }: Paper): string {
  return wrapText(words.map(visible).join(", "), { columns, first: "  " });
}

/** A setting's value in words. */
function say(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? "none" : value.join(" ");
  if (value === null) return "none";
  if (typeof value === "boolean") return value ? "yes" : "no";
  return typeof value === "string" ? value : JSON.stringify(value);
}
