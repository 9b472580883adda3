import type { Blocker } from "./agent.ts";
import { readJsonObject } from "./json-file.ts";

/** The files that switch all hooks off, as several agents have taken it over from Claude Code. */
export function switchedOff(
  files: readonly string[],
  { title, fix = "Take `disableAllHooks` out of that file." }: { readonly title: string; readonly fix?: string },
): readonly Blocker[] {
  return files
    .filter((file) => readJsonObject(file)["disableAllHooks"] === true)
    .map((file) => ({ id: "hooks-off", file, what: `\`disableAllHooks\` is true: ${title} runs no hooks.`, fix }));
}
