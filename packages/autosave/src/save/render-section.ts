import { inlineCode } from "@agent-checkpoint/heuristics";
import { redactLine } from "@agent-checkpoint/redaction";

/** The facts in the section. */
interface SectionFacts {
  readonly branch: string | null;
  /** The commit that the work is based on; null before the first. */
  readonly head: string | null;
  /** The files that the session wrote. */
  readonly files: readonly string[];
  readonly openActions: readonly string[];
  /** Sentences about commands that failed. */
  readonly failures: readonly string[];
}

const MAX_FILES = 20;
const MAX_LINES = 8;
const MAX_CHARACTERS = 300;

/** The section's text: the same facts give the same bytes, and no time is among them. */
export function renderSection(facts: SectionFacts): string {
  const { branch, head, files, openActions, failures } = facts;
  const shown = files
    .toSorted()
    .slice(0, MAX_FILES)
    .map((file) => inlineCode(file));
  const more = files.length - shown.length;
  return [
    "Written by agent-checkpoint; the next save replaces the text between the markers.",
    "",
    `- Branch: ${branch === null ? "none" : inlineCode(branch)}${head === null ? "" : `, on top of \`${head.slice(0, 12)}\``}`,
    `- Changed in this session: ${shown.join(", ")}${more > 0 ? ` and ${more} more` : ""}`,
    ...list("Still required", openActions),
    ...list("Failing", failures),
    `- Next step: ${nextStep(facts)}`,
  ].join("\n");
}

/** The next step, as far as the turn shows it. */
export function nextStep({ openActions, failures }: Pick<SectionFacts, "openActions" | "failures">): string {
  const [action] = openActions;
  if (action !== undefined) return line(action);
  const [failure] = failures;
  return failure === undefined
    ? "continue with the task; nothing is known to be open."
    : `resolve this failure: ${line(failure)}`;
}

/** Whether two sections differ only in the commit they are based on, which every save moves. */
export function isSameNews(one: string, other: string): boolean {
  return withoutCommit(one) === withoutCommit(other);
}

function withoutCommit(section: string): string {
  return section.replace(/, on top of `[0-9a-f]+`/, "");
}

function list(title: string, texts: readonly string[]): readonly string[] {
  if (texts.length === 0) return [`- ${title}: nothing`];
  const more = texts.length - MAX_LINES;
  return [
    `- ${title}:`,
    ...texts.slice(0, MAX_LINES).map((text) => `  - ${line(text)}`),
    ...(more > 0 ? [`  - and ${more} more`] : []),
  ];
}

/** Foreign text on one line, without secrets and without anything that opens a tag or a comment. */
function line(text: string): string {
  return redactLine(text)
    .slice(0, MAX_CHARACTERS)
    .replaceAll(/<(?=[A-Za-z/!?])/g, "\u2039");
}
