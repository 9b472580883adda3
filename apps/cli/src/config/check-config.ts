import { resolve } from "node:path";
import { type ConfigProblem, resolveRules, type Rules } from "@agent-checkpoint/categories";
import { CONFIG_FILE, detectPreset, loadRules } from "@agent-checkpoint/composer";
import { CliError } from "../cli-error.ts";
import type { CommandContext } from "../commands/command-context.ts";
import { EXIT } from "../exit-codes.ts";
import { repositoryOf } from "../sessions/repository-of.ts";
import { toJson } from "../terminal/to-json.ts";
import { visible } from "../terminal/visible.ts";
import { adviceFor } from "./advice-for.ts";
import { type ConfigSource, readConfig, readConfigs } from "./read-configs.ts";
import { renderProblems } from "./render-problems.ts";
import { unmetEvidence } from "./unmet-evidence.ts";

/** What a check found. */
export interface ConfigCheck {
  readonly sources: readonly ConfigSource[];
  readonly problems: readonly ConfigProblem[];
  /** The rules that come of it; null where they cannot be used. */
  readonly rules: Rules | null;
}

/** `config check`: whether config files can be used, and whether what they ask for can be met. */
export function checkConfig(file: string | undefined, { json }: { json?: boolean }, context: CommandContext): void {
  const root = repositoryOf(context.cwd);
  const check = file === undefined ? checkHere(root, context.home) : checkFile(file, root, context);
  const { sources, problems } = check;
  if (json === true) {
    const files = sources.map(({ file: name, path, exists }) => ({ file: name, path, exists }));
    const said = problems.map((problem) => ({ ...problem, advice: adviceFor(problem) }));
    context.out(toJson({ ok: problems.length === 0, files, problems: said }));
  } else if (problems.length > 0) {
    context.out(renderProblems(problems, context));
  } else context.out(renderGood(check, context));
  if (problems.length > 0) context.exit(EXIT.found);
}

/** The files that hold in a repository. */
export function checkHere(root: string, home: string): ConfigCheck {
  const sources = readConfigs(root, home);
  const loaded = loadRules(root, home);
  const wrong = loaded.ok ? [] : loaded.problems;
  const unmet = sources.flatMap(({ named }) => (named === null ? [] : unmetEvidence(named)));
  return { sources, problems: [...wrong, ...unmet], rules: loaded.ok ? loaded.rules : null };
}

/** One file, as if it were the config of the repository. */
function checkFile(file: string, root: string, { cwd, home }: CommandContext): ConfigCheck {
  const source = readConfig(resolve(cwd, file), file);
  if (!source.exists)
    throw new CliError(`there is no ${visible(file)}`, {
      exitCode: EXIT.usage,
      advice: `Run it without a file to check what holds here, or \`checkpoint init\` to write a ${CONFIG_FILE}.`,
    });
  if (source.named === null) return { sources: [source], problems: source.problems, rules: null };
  const personal = readConfigs(root, home)[0]?.named ?? null;
  const resolved = resolveRules(detectPreset(root), [...(personal === null ? [] : [personal]), source.named]);
  const wrong = resolved.ok ? [] : resolved.problems.filter((problem) => problem.file === file);
  return {
    sources: [source],
    problems: [...wrong, ...unmetEvidence(source.named)],
    rules: resolved.ok ? resolved.rules : null,
  };
}

function renderGood({ sources, rules }: ConfigCheck, { style }: CommandContext): string {
  const present = sources.filter(({ exists }) => exists);
  const counts =
    rules === null
      ? ""
      : `preset ${rules.preset}, ${countOf(rules.actions.length, "action")}, ${countOf(rules.categories.length, "category", "categories")}`;
  if (present.length === 0) return `No config file holds here: ${counts}. \`checkpoint init\` writes one.\n`;
  const names = present.map(({ file }) => visible(file)).join(" and ");
  return `${style.good("in order")}  ${names}: ${counts}\n`;
}

function countOf(count: number, noun: string, nouns = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : nouns}`;
}
