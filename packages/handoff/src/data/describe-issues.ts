import type { BaseIssue, IssuePathItem } from "valibot";

/** What a schema found wrong, a sentence for each: where, what was expected and what was found. */
export function describeIssues(issues: readonly BaseIssue<unknown>[]): string[] {
  return issues.map((issue) => {
    const expected = issue.message.startsWith("expected ")
      ? issue.message
      : `expected ${issue.expected ?? "another value"}`;
    const found = issue.path ? issue.path.at(-1)?.value : issue.input;
    return `${keyOf(issue.path ?? [])}${expected}, found ${show(found)}`;
  });
}

function keyOf(path: readonly IssuePathItem[]): string {
  const key = path.map(({ key }) => (typeof key === "number" ? `[${key}]` : `.${String(key)}`)).join("");
  return key === "" ? "" : `\`${shorten(key.replace(/^\./, ""))}\`: `;
}

function show(value: unknown): string {
  return value === undefined ? "nothing" : shorten(JSON.stringify(value) ?? typeof value);
}

function shorten(text: string): string {
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}
