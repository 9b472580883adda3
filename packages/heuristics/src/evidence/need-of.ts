import { languagesOfFile } from "@agent-checkpoint/reports";
import type { RepositoryFacts } from "../types.ts";

/** What a change to a file needs: its tests; tests or a static check, where tests are far from it; nothing. */
export type Need = "tests" | "tests-or-check" | "nothing";

/** What a change to a file of code needs in this repository; without facts it is taken for one with tests. */
export function needOf(path: string, facts: RepositoryFacts | null): Need {
  const file = inTree(path);
  const languages = languagesOfFile(file);
  if (languages.length === 0) return "nothing";
  if (facts === null || file.startsWith("/") || /^[A-Za-z]:\//.test(file)) return "tests";
  const folders = languages.flatMap((language) => facts.testFolders[language] ?? []);
  const project = projectOf(file, languages, facts);
  const commands = facts.commands.filter(
    ({ kind, languages: own }) => kind === "test" && languages.some((language) => own.includes(language)),
  );
  const hasOwn =
    folders.some((folder) => isWithin(folder, project)) || commands.some(({ folder }) => folder === project);
  if (!hasOwn)
    return folders.some((folder) => isWithin(folder, project) || isRootTests(folder)) ? "tests-or-check" : "nothing";
  if (VIEW.test(file) || ENTRY.test(file)) return "tests-or-check";
  const own = folders.filter((folder) => isWithin(folder, project));
  const isNear = own.length === 0 || own.length >= MAX_FOLDERS || own.some((folder) => isNearTo(file, folder, project));
  return isNear ? "tests" : "tests-or-check";
}

/** What people look at more than they test it: components, pages and layouts. */
const VIEW =
  /\.(?:[jt]sx|vue|svelte|astro)$|(?:^|\/)(?:components?|pages|views|layouts?|screens|routes)\/.*\.[cm]?[jt]s$/;

/** Where a program begins: tests start behind it. */
const ENTRY = /(?:^|\/)(?:main\.(?:rs|go|py|c|cpp|swift|dart)|__main__\.py)$/;

/** As many as the reader of facts names: beyond it the list is not whole. */
const MAX_FOLDERS = 500;

/** The folder of the innermost project of a language that a file lies in; empty for the root. */
export function projectOf(path: string, languages: readonly string[], { projects }: RepositoryFacts): string {
  const file = inTree(path);
  const own = projects.filter(({ folder, language }) => languages.includes(language) && isWithin(file, folder));
  return own.map(({ folder }) => folder).toSorted((one, other) => other.length - one.length)[0] ?? "";
}

/** A file of a worktree below the root is the same file of the repository. */
function inTree(path: string): string {
  return path.replace(/^(?:\.\w+\/)?\.?worktrees\/[^/]+\//, "");
}

function isWithin(path: string, folder: string): boolean {
  return folder === "" || path === folder || path.startsWith(`${folder}/`);
}

const TEST_FOLDER = /^(?:tests?|specs?|__tests__|e2e|t|\w+Tests?)$/;

/** A folder of tests at the root is about the whole repository. */
function isRootTests(folder: string): boolean {
  return TEST_FOLDER.test(folder.split("/")[0] ?? "");
}

/** Tests beside, above or below a file, or in the project's own folder of tests. */
function isNearTo(file: string, folder: string, project: string): boolean {
  const own = file.slice(0, Math.max(0, file.lastIndexOf("/")));
  const inner = project === "" ? folder : folder.slice(project.length + 1);
  const parent = folder
    .split("/")
    .filter((part) => !TEST_FOLDER.test(part))
    .join("/");
  return (
    TEST_FOLDER.test(inner.split("/")[0] ?? "") ||
    parent === "" ||
    isWithin(own, parent) ||
    (own !== project && isWithin(parent, own))
  );
}
