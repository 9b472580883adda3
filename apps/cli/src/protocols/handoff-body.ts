import { anchorOf, headingOf, markdownLines } from "./markdown-lines.ts";

/** The sections that say what the protocol adds; they come in whatever a document says already. */
const ADDED: ReadonlySet<string> = new Set(["mode", "previous-summary", "enforcement"]);

/**
 * What of the handoff protocol goes into a document: all of it into an empty one, otherwise what the document has no section for.
 * A section of ours whose title is taken gets a name of its own, so that links to the other one stay valid.
 */
export function handoffBody(protocol: string, others: string): string {
  if (others.trim() === "") return protocol;
  const taken = new Set(
    markdownLines(others).flatMap((line) => {
      const heading = headingOf(line);
      return heading === null ? [] : [anchorOf(heading.title)];
    }),
  );
  return sectionsOf(protocol)
    .filter(({ anchor }) => ADDED.has(anchor) || !taken.has(anchor))
    .map(({ title, anchor, body }) => `## ${taken.has(anchor) ? `${title} (agent-checkpoint)` : title}\n\n${body}`)
    .join("\n\n");
}

interface Section {
  readonly title: string;
  readonly anchor: string;
  readonly body: string;
}

/** The second-level sections of a text. */
function sectionsOf(text: string): Section[] {
  const lines = markdownLines(text);
  const starts = lines.flatMap((line, at) => (headingOf(line)?.depth === 2 ? [at] : []));
  return starts.map((start, index) => {
    const [first, ...rest] = lines.slice(start, starts[index + 1]);
    const title = (first && headingOf(first)?.title) ?? "";
    const body = rest
      .map((line) => line.text)
      .join("\n")
      .trim();
    return { title, anchor: anchorOf(title), body };
  });
}
