import { inlineCode } from "@agent-checkpoint/heuristics";
import { redact } from "@agent-checkpoint/snapshots";

/** What the section says. */
export interface SectionFacts {
  readonly branch: string | null;
  /** The commit that the work stands on; null before the first. */
  readonly head: string | null;
  /** The files that the session wrote. */
  readonly files: readonly string[];
  readonly openActions: readonly string[];
  /** Sentences about commands that failed. */
  readonly failures: readonly string[];
}

const MOST_FILES = 20;
const MOST_LINES = 8;
const MOST_CHARACTERS = 300;

/** The section's text: the same facts give the same bytes, and no time is among them. */
export function renderSection(facts: SectionFacts): string {
  const { branch, head, files, openActions, failures } = facts;
  const shown = files
    .toSorted()
    .slice(0, MOST_FILES)
    .map((file) => inlineCode(file));
  const more = files.length - shown.length;
  return [
    "Written by agent-checkpoint; the next save replaces what stands between the markers.",
    "",
    `- Branch: ${branch === null ? "none" : inlineCode(branch)}${head === null ? "" : `, on top of \`${head.slice(0, 12)}\``}`,
    `- Changed in this session: ${shown.join(", ")}${more > 0 ? ` and ${more} more` : ""}`,
    ...list("Still required", openActions),
    ...list("Failing", failures),
    `- Next step: ${nextStep(facts)}`,
  ].join("\n");
}

/** What is to be done next, as far as the turn tells. */
export function nextStep({ openActions, failures }: Pick<SectionFacts, "openActions" | "failures">): string {
  const [action] = openActions;
  if (action !== undefined) return line(action);
  const [failure] = failures;
  return failure === undefined ? "go on with the task; nothing is known to be open." : `make it good: ${line(failure)}`;
}

/** Whether two sections say the same but for the commit they stand on, which every save moves. */
export function isSameNews(one: string, other: string): boolean {
  return withoutCommit(one) === withoutCommit(other);
}

function withoutCommit(section: string): string {
  return section.replace(/, on top of `[0-9a-f]+`/, "");
}

function list(title: string, texts: readonly string[]): readonly string[] {
  if (texts.length === 0) return [`- ${title}: nothing`];
  const more = texts.length - MOST_LINES;
  return [
    `- ${title}:`,
    ...texts.slice(0, MOST_LINES).map((text) => `  - ${line(text)}`),
    ...(more > 0 ? [`  - and ${more} more`] : []),
  ];
}

/** Foreign words on one line, without secrets and without anything that opens a tag or a comment. */
function line(text: string): string {
  return redact(text)
    .slice(0, MOST_CHARACTERS)
    .replaceAll(/<(?=[A-Za-z/!?])/g, "\u2039");
}
