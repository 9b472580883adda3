import type { ConfigProblem } from "@agent-checkpoint/categories";
import type { CommandContext } from "../commands/command-context.ts";
import { visible } from "../terminal/visible.ts";
import { wrapText } from "../terminal/wrap-text.ts";
import { adviceFor } from "./advice-for.ts";

/** Problems of config files for a person: where, what was expected, what was found, what to do. */
export function renderProblems(
  problems: readonly ConfigProblem[],
  { style, columns }: Pick<CommandContext, "style" | "columns">,
): string {
  const blocks = problems.map((problem) => {
    const { file, key, expected, found } = problem;
    const line = (name: string, text: string) => wrapText(visible(text), { columns, first: `  ${name.padEnd(10)}` });
    const title = `${style.bad("wrong")}  ${style.bold(visible(file))}${key === "" ? "" : `: ${style.name(visible(key))}`}\n`;
    return `${title}${line("expected", expected)}${line("found", found)}${line("do", adviceFor(problem))}`;
  });
  return blocks.join("\n");
}
