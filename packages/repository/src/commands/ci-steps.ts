import { dig, entriesOf, textsIn } from "../files/parsers.ts";
import type { Tree } from "../files/tree.ts";

/** A shell text of a CI configuration. */
export interface CiStep {
  readonly text: string;
  readonly folder: string;
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
const MAX_STEPS = 1500;

/** The shell texts of the steps of a repository's CI. */
export function readCiSteps(tree: Tree): readonly CiStep[] {
  return tree.files
    .flatMap((path) => {
      const service =
        path.startsWith(".") || path.startsWith("azure")
          ? CI_SERVICES.find(({ files }) => files.test(path))
          : undefined;
      return service === undefined ? [] : [{ path, service }];
    })
    .slice(0, MAX_FILES)
    .flatMap(({ path, service }) =>
      service.steps(tree.data(path)).map(([text, folder]) => ({ text, folder, source: path })),
    )
    .slice(0, MAX_STEPS);
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

/** The texts under a key, however deep it lies. */
function textsUnder(value: unknown, keys: readonly string[]): readonly string[] {
  return entriesOf(value).flatMap(([key, inner]) => (keys.includes(key) ? textsIn(inner) : textsUnder(inner, keys)));
}

function plainFolder(value: unknown): string {
  const text = typeof value === "string" ? value.replace(/^\.\//, "").replace(/\/+$/, "") : "";
  return /^[\w@.-][\w@./-]*$/.test(text) && text !== "." && !text.includes("..") ? text : "";
}
