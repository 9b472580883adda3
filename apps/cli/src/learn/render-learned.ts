import { runFromRoot } from "@agent-checkpoint/repository";
import type { Page } from "../hooks/page.ts";
import { nameOfLanguage } from "../proposal/language-names.ts";
import { formatAgo } from "../time/format-ago.ts";
import type { LearnedCommand } from "./learn-commands.ts";

const MAX_COMMANDS = 20;
/** From this many green runs on a command is proposed. */
const MIN_GREEN = 2;

/** What was learned, for people, with the rows that a config could have. */
export function renderLearned(
  learned: readonly LearnedCommand[],
  sessions: number,
  { page, now }: { readonly page: Page; readonly now: Date },
): string {
  if (learned.length === 0)
    return page.paragraph(`No test report was found in ${sessions} past sessions of this repository.`);
  const proposed = proposedRows(learned);
  return [
    page.heading(`Test reports in ${sessions} past sessions`),
    ...learned.slice(0, MAX_COMMANDS).map((one) => page.line(one.green > 0 ? "good" : "more", sentenceOf(one, now))),
    ...(proposed.length === 0
      ? []
      : [
          "\n",
          page.paragraph("To have these commands named and counted, put into the `actions` of checkpoint.config.json:"),
          ...proposed.map((row) => `  ${JSON.stringify(row)},\n`),
        ]),
  ].join("");
}

function sentenceOf(one: LearnedCommand, now: Date): string {
  const times = one.green + one.red;
  const when = one.lastAt === null ? "" : `, last ${formatAgo(one.lastAt, now)}`;
  return `\`${runFromRoot(one)}\` printed a ${one.runners.join(" and ")} summary ${times === 1 ? "once" : `${times} times`}, ${one.green} green${when}`;
}

/** One row for each language: its command that was green most often, and all others as evidence. */
export function proposedRows(learned: readonly LearnedCommand[]): readonly object[] {
  const green = learned.filter((one) => one.green >= MIN_GREEN);
  const languages = [...new Set(green.flatMap((one) => one.languages.slice(0, 1)))];
  return languages.map((language, index) => {
    const own = green.filter((one) => one.languages[0] === language);
    const run = runFromRoot(own[0]) ?? "";
    const id = index === 0 ? "tests" : `test-${language}`;
    const instruction = `Run targeted tests for the changed ${nameOfLanguage(language)} code (all of them: \`${run}\`)`;
    return {
      id,
      stage: "validate",
      instruction,
      steps: [{ run, evidence: [...new Set(own.map(({ command }) => command))] }],
    };
  });
}
