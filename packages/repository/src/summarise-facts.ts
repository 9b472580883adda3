import type { Language } from "@agent-checkpoint/reports";
import type { RepositoryFacts } from "./read-repository.ts";
import { testAreas } from "./test-areas.ts";

/** What judging a stop needs to know of a repository: plain data, small enough for a cache. */
export interface FactsSummary {
  readonly languages: Readonly<Partial<Record<Language, LanguageSummary>>>;
  /** Commands that run tests, with where; the ones to be named first. */
  readonly testCommands: readonly SummaryCommand[];
  /** Commands that check types, lint or build. */
  readonly checks: readonly SummaryCommand[];
}

/** What is known of a language's tests. */
export interface LanguageSummary {
  readonly files: number;
  readonly hasTests: boolean;
  /** The command to name for this language, as typed at the root. */
  readonly run: string | null;
}

/** A command of the repository. */
export interface SummaryCommand {
  readonly command: string;
  readonly folder: string;
  readonly name: string;
  readonly kind: RepositoryFacts["commands"][number]["kind"];
  readonly languages: readonly Language[];
}

const MAX_COMMANDS = 200;

/** The part of the facts that judging a stop needs. */
export function summariseFacts(facts: RepositoryFacts): FactsSummary {
  const areas = testAreas(facts);
  const first = areas.flatMap(({ runs }) => runs);
  const tests = facts.commands.filter(({ kind }) => kind === "test");
  const short = ({ command, folder, name, kind, languages }: RepositoryFacts["commands"][number]) => ({
    command,
    folder,
    name,
    kind,
    languages,
  });
  return {
    languages: Object.fromEntries(
      facts.languages.map(({ language, files }) => {
        const area = areas.find((one) => one.language === language);
        const hasTests =
          (facts.testFiles[language] ?? 0) > 0 || tests.some(({ languages }) => languages.includes(language));
        return [language, { files, hasTests, run: area === undefined ? null : runFromRoot(area.runs[0]) }];
      }),
    ),
    testCommands: [...new Set([...first, ...tests])].slice(0, MAX_COMMANDS).map(short),
    checks: facts.commands
      .filter(({ kind }) => kind === "types" || kind === "lint" || kind === "build")
      .slice(0, MAX_COMMANDS)
      .map(short),
  };
}

/** A command as it is typed at the root. */
export function runFromRoot(command: { readonly command: string; readonly folder: string } | undefined): string | null {
  if (command === undefined) return null;
  return command.folder === "" ? command.command : `cd ${command.folder} && ${command.command}`;
}
