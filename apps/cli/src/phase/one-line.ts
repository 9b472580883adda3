import { visible } from "../terminal/visible.ts";

/** A foreign text of several lines for one line of a terminal. */
export function oneLine(text: string): string {
  return visible(text.replaceAll(/\s+/g, " ").trim());
}
