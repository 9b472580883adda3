import { inlineCode } from "@agent-checkpoint/heuristics";
import { wrapText } from "../terminal/layout.ts";
import type { Style } from "../terminal/style.ts";
import { visible } from "../terminal/visible.ts";
import type { AttestedCommit, AttestedFile, AttestedRule, AttestedState } from "./read-attestation.ts";

export interface AttestationLook {
  readonly style: Style;
  /** Infinite for a reader that is no terminal. */
  readonly columns: number;
}

/** The states as they are said, in the order of the lists. */
const STATES: readonly {
  readonly state: AttestedState;
  readonly words: string;
  readonly look: "good" | "bad" | "warn";
}[] = [
  { state: "not-verified", words: "not verified", look: "bad" },
  { state: "not-known", words: "not known", look: "warn" },
  { state: "verified", words: "verified", look: "good" },
];

/** One commit as text: every file with the state of each of its rules, then the stops that were about it. */
export function renderCommit({ commit, subject, files }: AttestedCommit, { style, columns }: AttestationLook): string {
  const line = (first: string, text: string) => wrapText(text, { columns, first: `  ${first} ` });
  const lines = [wrapText(style.bold(`commit ${commit.slice(0, 12)} ${visible(subject)}`.trimEnd()), { columns })];
  for (const { state, words, look } of STATES)
    for (const file of files)
      for (const rule of file.rules.filter((one) => one.state === state))
        lines.push(
          line(style[look](words.padEnd(12)), `${visible(file.file)}  ${visible(rule.rule)}: ${reasonOf(rule)}`),
        );
  for (const { file, rules } of files)
    if (rules.length === 0) lines.push(line(style.dim("no rule asks".padEnd(12)), visible(file)));
  if (files.length === 0) lines.push(`  ${style.dim("changes nothing")}\n`);
  lines.push(...stopLines(files).map((text) => wrapText(text, { columns, first: "  ", rest: "    " })));
  return lines.join("");
}

/** A range as Markdown for the check run of a forge: the first line is its title. */
export function renderCheckRun(files: readonly AttestedFile[]): string {
  const lines = [titleOf(files), ""];
  for (const { state, words } of STATES) {
    const found = files.flatMap(({ file, rules }) =>
      rules.filter((one) => one.state === state).map((rule) => ({ file, rule })),
    );
    if (found.length === 0) continue;
    lines.push(`### ${words.charAt(0).toUpperCase()}${words.slice(1)}`, "");
    for (const { file, rule } of found)
      lines.push(`- ${inlineCode(file)}, ${inlineCode(rule.rule)}: ${reasonOf(rule, inlineCode)}`);
    lines.push("");
  }
  const stops = stopLines(files);
  if (stops.length > 0) lines.push("### Stops about these files", "", ...stops.map((line) => `- ${line}`), "");
  lines.push(
    "The record is of the machine that wrote this, and says what was seen there. Protected branches and your own CI enforce.",
  );
  return `${lines.join("\n")}\n`;
}

/** How many checks of required rules are verified, in one line. */
export function titleOf(files: readonly AttestedFile[]): string {
  const required = requiredIn(files);
  if (required.length === 0) return "agent-checkpoint: no required rule asks about these files";
  const count = (wanted: AttestedState) => required.filter(({ state }) => state === wanted).length;
  const rest = (["not-verified", "not-known"] as const)
    .filter((state) => count(state) > 0)
    .map((state) => `${count(state)} ${state.replace("-", " ")}`);
  return `agent-checkpoint: ${[`${count("verified")} of ${required.length} verified`, ...rest].join(", ")}`;
}

export function requiredIn(files: readonly AttestedFile[]): readonly (AttestedRule & { readonly file: string })[] {
  return files.flatMap(({ file, rules }) =>
    rules.filter(({ mode }) => mode === "require").map((rule) => ({ ...rule, file })),
  );
}

/** The reason for a state; names that a person or a repository chose are shown by the given function. */
function reasonOf({ state, at, by, stop, command, mode }: AttestedRule, shown = visible): string {
  const when = at === null ? "" : ` at ${momentOf(at)}`;
  const whose = `${by ?? "nobody"}${stop === null ? "" : `, stop ${stop}`}`;
  const quiet = mode === "require" ? "" : ` (the rule is in ${mode})`;
  if (state === "verified") return `${command === null ? "a run" : shown(command)}${when} (${whose})${quiet}`;
  if (state === "not-verified") return `the turn ended${when} without it (${whose})${quiet}`;
  return `nothing on record about this content${quiet}`;
}

/** Each stop once, the first one first. */
function stopLines(files: readonly AttestedFile[]): readonly string[] {
  const stops = new Map(files.flatMap((file) => file.stops).map((one) => [one.stop, one]));
  return [...stops.values()]
    .toSorted((one, other) => one.stop - other.stop)
    .map(({ stop, at, agent, decision, reason }) => {
      const word = decision === "block" ? "blocked" : "passed";
      return `stop ${stop} of ${agent} at ${momentOf(at)}: ${word}, ${visible(reason)}`;
    });
}

/** In UTC, since it is read elsewhere. */
function momentOf(at: Date): string {
  return `${at.toISOString().slice(0, 16).replace("T", " ")} UTC`;
}
