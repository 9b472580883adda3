import type { CommandContext } from "../commands/command-context.ts";
import { EXIT } from "../exit-codes.ts";
import { repositoryOf } from "../sessions/repository-of.ts";
import { toJson } from "../terminal/to-json.ts";
import { adviceFor } from "./advice-for.ts";
import { checkHere } from "./check-config.ts";
import { explainRules } from "./explain-rules.ts";
import { renderProblems } from "./render-problems.ts";
import { renderRules } from "./render-rules.ts";

/** `config show`: the rules in force here, each value with where it comes from. */
export function showConfig({ json }: { json?: boolean }, context: CommandContext): void {
  const root = repositoryOf(context.cwd);
  const { sources, rules, problems } = checkHere(root, context.home);
  const files = sources.map(({ file, path, exists }) => ({ file, path, exists }));
  if (rules === null) {
    const said = problems.map((problem) => ({ ...problem, advice: adviceFor(problem) }));
    context.out(json === true ? toJson({ root, files, problems: said }) : renderProblems(problems, context));
    context.exit(EXIT.found);
    return;
  }
  const explained = explainRules(
    rules,
    sources.flatMap(({ named }) => named ?? []),
  );
  context.out(json === true ? toJson({ root, files, ...explained }) : renderRules(root, explained, context));
}
