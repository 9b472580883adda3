import { escapeInvisible } from "@agent-checkpoint/files";

/** Markup that goes into a page unescaped. */
export interface Markup {
  readonly markup: string;
}

/** What can be put into markup: everything but markup is escaped. */
export type Content = Markup | string | number | null | readonly Content[];

/** Makes markup from a template; no inserted value can become a tag or end an attribute. */
export function html(parts: TemplateStringsArray, ...contents: readonly Content[]): Markup {
  return {
    markup: parts
      .map((part, index) => part + (index < contents.length ? render(contents[index] ?? null) : ""))
      .join(""),
  };
}

/** Words of ours with code spans in them, as the messages have them. */
export function withCode(text: string): Content {
  return text.split("`").map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part));
}

function render(content: Content): string {
  if (content === null) return "";
  if (typeof content === "string") return escapeHtml(content);
  if (typeof content === "number") return String(content);
  return "markup" in content ? content.markup : content.map(render).join("");
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escapeHtml(text: string): string {
  return escapeInvisible(text).replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}
