import { runFromRoot } from "@agent-checkpoint/repository";
import type { Page } from "../terminal/page.ts";
import { nameOfLanguage } from "../proposal/language-names.ts";
import { formatAgo } from "../time/format-time.ts";
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
          page.paragraph("To have these commands named, put into the `actions` of checkpoint.config.json:"),
          ...proposed.map((row) => `  ${JSON.stringify(row)},\n`),
        ]),
  ].join("");
}

function sentenceOf(one: LearnedCommand, now: Date): string {
  const times = one.green + one.red;
  const when = one.lastAt === null ? "" : `, last ${formatAgo(one.lastAt, now)}`;
  return `\`${runFromRoot(one)}\` printed a ${one.runners.join(" and ")} summary ${times === 1 ? "once" : `${times} times`}, ${one.green} green${when}`;
}

/** The row that names, for each language, the command that was green most often; any test run counts. */
export function proposedRows(learned: readonly LearnedCommand[]): readonly object[] {
  const green = learned.filter((one) => one.green >= MIN_GREEN);
  const languages = [...new Set(green.flatMap((one) => one.languages.slice(0, 1)))];
  const best = languages.flatMap((language) => green.find((one) => one.languages[0] === language) ?? []);
  const [first] = best;
  if (first === undefined) return [];
  const said = best.map(
    (one) => `${one.languages[0] === undefined ? "" : `${nameOfLanguage(one.languages[0])}: `}\`${runFromRoot(one)}\``,
  );
  const instruction = `Run targeted tests for changed behavior (${said.join(", ")})`;
  return [{ id: "tests", stage: "validate", instruction, steps: [{ run: runFromRoot(first), evidence: [] }] }];
}
