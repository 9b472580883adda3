import { visible } from "../terminal/visible.ts";

/** Foreign text on one line of a terminal. */
export function oneLine(text: string): string {
  return visible(text.replaceAll(/\s+/g, " ").trim());
}
