import type { Language } from "@agent-checkpoint/reports";
import { dig, entriesOf, textsIn, textsUnder } from "../files/parsers.ts";
import type { Tree } from "../files/tree.ts";
import { type CommandKind, recognise } from "./programs.ts";
import { shellLines } from "./shell-lines.ts";

/** A command of a CI step that does a known kind of work, or that may be a task of the repository. */
export interface CiCommand {
  readonly command: string;
  readonly folder: string;
  readonly kind: CommandKind;
  readonly languages: readonly Language[];
  readonly source: string;
}

/** A CI service: its files, and where their steps are. */
interface CiService {
  readonly files: RegExp;
  readonly steps: (file: unknown) => readonly (readonly [text: string, folder: string])[];
}

const CI_SERVICES: readonly CiService[] = [
  { files: /^\.github\/workflows\/[^/]+\.ya?ml$/, steps: githubSteps },
  { files: /^\.github\/(?:actions\/)?.*action\.ya?ml$/, steps: (file) => stepsIn(dig(file, "runs", "steps"), "") },
  {
    files: /^\.gitlab-ci\.yml$|^\.gitlab\/.*\.yml$/,
    steps: (file) => entriesOf(file).flatMap(([, job]) => atRoot(textsIn(dig(job, "script")))),
  },
  { files: /^\.circleci\/config\.yml$/, steps: circleSteps },
  {
    files: /^\.?azure-pipelines[^/]*\.ya?ml$|^\.azure[^/]*\/.*\.ya?ml$/,
    steps: (file) => atRoot(textsUnder(file, ["script", "bash"])),
  },
  { files: /^\.buildkite\/.*\.ya?ml$/, steps: (file) => atRoot(textsUnder(file, ["command", "commands"])) },
  {
    files: /^\.travis\.yml$|^\.cirrus\.yml$|^\.drone\.yml$|^\.woodpecker\.ya?ml$/,
    steps: (file) => atRoot(textsUnder(file, ["script", "commands"])),
  },
];

const MAX_FILES = 60;
const MAX_COMMANDS = 1500;

/** What the steps of a repository's CI run. */
export function readCiCommands(tree: Tree): readonly CiCommand[] {
  return tree.files
    .flatMap((path) => {
      const mayBe = path.startsWith(".") || path.startsWith("azure");
      const service = mayBe ? CI_SERVICES.find(({ files }) => files.test(path)) : undefined;
      return service === undefined ? [] : [{ path, service }];
    })
    .slice(0, MAX_FILES)
    .flatMap(({ path, service }) =>
      service.steps(tree.data(path)).flatMap(([text, folder]) => commandsIn(text, folder, path)),
    )
    .slice(0, MAX_COMMANDS);
}

/** Documents that tell people and agents what to run, those for agents first. */
const GUIDES = [
  "AGENTS.md",
  "CLAUDE.md",
  "GEMINI.md",
  "CONTRIBUTING.md",
  ".github/CONTRIBUTING.md",
  "docs/CONTRIBUTING.md",
  "DEVELOPMENT.md",
  "README.md",
];

/** What the guides of a repository tell to run: code blocks and code in sentences. Words alone prove nothing. */
export function readGuideCommands(tree: Tree): readonly CiCommand[] {
  return GUIDES.flatMap((path) => {
    const text = tree.read(path) ?? "";
    const code = [...text.matchAll(/^```[^\n]*\n([\s\S]*?)^```|`([^`\n]+)`/gm)]
      .filter(({ index }) => !WARNING.test(text.slice(Math.max(0, index - WARNING_LENGTH), index)))
      .map(([, block, span]) => block ?? span ?? "");
    return code.flatMap((one) => commandsIn(one.replaceAll(/^\s*[$>] /gm, ""), "", path));
  }).slice(0, MAX_COMMANDS);
}

/** Words right before a command that a reader must not run. */
const WARNING = /\b(?:not|never|don't|avoid|instead of)\b[\w ]*$/i;
const WARNING_LENGTH = 40;

const OWN_TASK =
  /^(?:npm|pnpm|yarn|bun|make|just|task|mise|mage|composer|deno task|rake|poe|mix|clojure)\b|^(?:\.\/)?[\w./-]*test[\w.-]*|^(?:\.\/)?[\w./-]+ (?:(?:-\S+ )*--?)?tests?(?: |$)/;

/** The commands of a text; `cd` changes the folder of those after it. */
function commandsIn(text: string, folder: string, source: string): readonly CiCommand[] {
  let at = folder;
  return shellLines(text).flatMap((command) => {
    const into = /^cd ([\w@./-]+)$/.exec(command)?.[1];
    if (into !== undefined) at = into.startsWith(".") ? at : [at, into].filter((part) => part !== "").join("/");
    const found = recognise(command);
    if (found === null && !OWN_TASK.test(command)) return [];
    return [{ command, folder: at, kind: found?.kind ?? "other", languages: found?.languages ?? [], source }];
  });
}

function githubSteps(workflow: unknown): readonly (readonly [string, string])[] {
  const outer = dig(workflow, "defaults", "run", "working-directory");
  return entriesOf(dig(workflow, "jobs")).flatMap(([, job]) =>
    stepsIn(dig(job, "steps"), plainFolder(dig(job, "defaults", "run", "working-directory") ?? outer)),
  );
}

function stepsIn(steps: unknown, folder: string): readonly (readonly [string, string])[] {
  return entriesOf(steps).flatMap(([, step]) => {
    const own = dig(step, "working-directory");
    return textsIn(dig(step, "run")).map((text) => [text, own === undefined ? folder : plainFolder(own)] as const);
  });
}

function circleSteps(file: unknown): readonly (readonly [string, string])[] {
  return [...entriesOf(dig(file, "jobs")), ...entriesOf(dig(file, "commands"))].flatMap(([, job]) =>
    entriesOf(dig(job, "steps")).flatMap(([, step]) => atRoot(textsIn(dig(step, "run"), ["command"]))),
  );
}

function atRoot(texts: readonly string[]): readonly (readonly [string, string])[] {
  return texts.map((text) => [text, ""] as const);
}

function plainFolder(value: unknown): string {
  const text = typeof value === "string" ? value.replace(/^\.\//, "").replace(/\/+$/, "") : "";
  return /^[\w@.-][\w@./-]*$/.test(text) && text !== "." && !text.includes("..") ? text : "";
}
