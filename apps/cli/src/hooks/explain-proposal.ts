import { type RepositoryFacts, runFromRoot, type TestArea, testAreas } from "@agent-checkpoint/repository";
import type { Page } from "../terminal/page.ts";
import { nameOfLanguage } from "../proposal/language-names.ts";
import type { ProposalRows } from "../proposal/proposal-rows.ts";

const MAX_WAYS = 12;
const MAX_PROJECTS = 12;

/** The steps from a repository's files to the proposal: what was read, weighed and left out. */
export function explainProposal(facts: RepositoryFacts, { notes, actions }: ProposalRows, page: Page): string {
  const languages = facts.languages.map(
    ({ language, files, share }) =>
      `${nameOfLanguage(language)} ${Math.round(share * 100)} % (${files} files, ${facts.testFiles[language] ?? 0} of them tests)`,
  );
  const projects = facts.projects.map(({ manifest, packageManager }) =>
    packageManager === null ? manifest : `${manifest} (${packageManager})`,
  );
  const ciFiles = [...new Set(facts.ciSteps.map(({ source }) => source))];
  return [
    page.heading("What is tracked"),
    page.line("more", languages.join(", ") || "no code"),
    page.line("more", `Projects: ${limited(projects, MAX_PROJECTS) || "no manifest that is known"}`),
    page.line("more", `CI: ${limited(ciFiles, MAX_PROJECTS) || "no step that is known"}`),
    ...testAreas(facts).map((area) => explainArea(area, page)),
    ...explainRows(actions, page),
    ...notes.map((note) => page.line("warn", note)),
  ].join("");
}

function explainArea({ language, runs, others, ways, seenIn }: TestArea, page: Page): string {
  const chosen = new Set(runs);
  const left = ways.filter((way) => !chosen.has(way));
  return [
    "\n",
    page.heading(`Tests of ${nameOfLanguage(language)}`),
    ...runs.map((run) =>
      page.line(
        "good",
        `\`${runFromRoot(run)}\`  ${run.source}${run === runs[0] && seenIn !== null ? `, see ${seenIn}` : ""}`,
      ),
    ),
    ...(others.length === 0 ? [] : [page.line("more", `and in ${limited(others, MAX_PROJECTS)}`)]),
    ...(runs.length === 0 ? [page.line("warn", "no command was found")] : []),
    ...left.slice(0, MAX_WAYS).map((way) => page.line("more", `counts too: \`${runFromRoot(way)}\`  ${way.source}`)),
    ...(left.length > MAX_WAYS ? [page.line("more", `and ${left.length - MAX_WAYS} more`)] : []),
  ].join("");
}

function explainRows(actions: ProposalRows["actions"], page: Page): readonly string[] {
  const rest = actions.filter(({ entry }) => !/^tests?(?:-|$)/.test(entry.id));
  const lines = rest.map(({ entry, where }) => {
    const [step] = entry.steps ?? [];
    return page.line("good", `${entry.id} (shadow): \`${typeof step === "string" ? step : step?.run}\`  ${where}`);
  });
  return lines.length === 0 ? [] : ["\n", page.heading("Beside the tests"), ...lines];
}

function limited(names: readonly string[], count: number): string {
  return names.slice(0, count).join(", ") + (names.length > count ? ` and ${names.length - count} more` : "");
}
