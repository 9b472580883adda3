import type { Language } from "@agent-checkpoint/reports";
import { type CommandKind, kindOfName, languagesOfName, recognise } from "./programs.ts";
import { shellLines } from "./shell-lines.ts";
import type { Task } from "./task-runners.ts";

/** A command that a repository declares. */
export interface DeclaredCommand {
  /** The command as a person types it in the folder. */
  readonly command: string;
  /** The folder from the root; empty for the root itself. */
  readonly folder: string;
  readonly kind: CommandKind;
  /** Where it is declared: `package.json scripts.test`. */
  readonly source: string;
  /** The languages that it is about; none if it could be any. */
  readonly languages: readonly Language[];
  /** What it runs, if its file says so. */
  readonly runs: string | null;
  /** The name of the script, target or file. */
  readonly name: string;
  /** Whether its languages are only those of its kind of file. */
  readonly isAssumed: boolean;
}

/** How one task calls another, by task runner. */
const REFERENCES: readonly (readonly [runner: string, call: RegExp])[] = [
  ["npm", /^(?!bun test\b)(?:npm|pnpm|yarn|bun)(?: (?:run|run-script|-s|--silent|-r|-w))* ([\w@][\w:@./-]*)/],
  ["npm", /^(?:run-[sp]|npm-run-all\d?)(?: -\S+)* ([\w:@./-]+(?: [\w:@./*-]+)*)/],
  ["make", /^make(?: -\S+)* ([\w.-]+(?: [\w.-]+)*)/],
  ["just", /^just ([\w-]+)/],
  ["task", /^task ([\w:-]+)/],
  ["mise", /^mise run ([\w:-]+)/],
  ["deno", /^deno task ([\w:-]+)/],
  ["composer", /^(?:composer(?: run| run-script)? |@)([\w:-]+)/],
  ["mix", /^mix ([\w.]+)/],
  ["rake", /^rake ([\w:]+)/],
  ["cargo", /^cargo ([\w-]+)/],
  ["poe", /^(?:poe )?([\w:-]+)$/],
];

/** A test script of a package elsewhere. */
const NPM_TEST = /^(?:npm|pnpm|yarn|bun) (?:\S+ )*(?:run )?test(?: |$)/;

/** The targets of a Makefile among the tests. */
const MAKE_TESTS = /^make (?:\S+ )*-C (?:\S+\/)?tests?(?:\/| |$)/;

/** What a task does in all. */
interface Work {
  readonly kinds: readonly CommandKind[];
  readonly languages: readonly Language[];
  /** Whether a program of it is a variable that nobody can read. */
  readonly isHidden: boolean;
  /** Whether it runs something of which nobody knows what it does. */
  readonly isPartial: boolean;
}

const NOTHING: Work = { kinds: [], languages: [], isHidden: false, isPartial: false };

/** Commands beside the work of a task. */
const ASIDE = /^(?:echo|printf|cd|mkdir|rm|cp|mv|touch|export|set|true|exit|npm (?:ci|install))(?: |$)|^$/;

/** A program in a variable of a Makefile. */
const HIDDEN = /^\$[({][A-Z]\w*[)}](?: |$)/;

/** A test script of the repository, which may test any language whatever it is written in. */
const OWN_SCRIPT = /^(?:\.\/)?(?:[\w.-]+\/)+(?:run[-_]?)?tests?\.(?:py|sh|rb|pl|m?js)(?: |$)/;

const MAX_DEPTH = 6;

/** The tasks of a repository with what each is for, followed through the tasks that it calls. */
export function declaredCommands(tasks: readonly Task[]): readonly DeclaredCommand[] {
  const index = new Map(tasks.map((task) => [keyOf(task.folder, task.runner, task.name), task]));
  const known = new Map<Task, Work>();
  const workOf = (task: Task, depth: number): Work => {
    const before = known.get(task);
    if (before !== undefined || depth > MAX_DEPTH) return before ?? NOTHING;
    known.set(task, NOTHING);
    const work = join(shellLines(task.body ?? "").map((line) => workOfLine(line, task, depth)));
    known.set(task, work);
    return work;
  };
  // Where nothing of a task that another calls is known, its name tells.
  const workOfCalled = (task: Task, depth: number): Work => {
    const work = workOf(task, depth);
    const kinds = work.kinds.length === 0 && kindOfName(task.name) === "test" ? ["test" as const] : work.kinds;
    return { ...work, kinds, languages: languagesOf(task.name, work) };
  };
  const workOfLine = (line: string, { folder, runner, name }: Task, depth: number): Work => {
    const called = REFERENCES.flatMap(([id, call]) =>
      (call.exec(line)?.[1] ?? "").split(" ").map((word) => index.get(keyOf(folder, id, word))),
    ).filter((task) => task !== undefined && !(task.runner === runner && task.name === name));
    if (called.length > 0)
      return join(called.flatMap((task) => (task === undefined ? [] : [workOfCalled(task, depth + 1)])));
    if (OWN_SCRIPT.test(line)) return { ...NOTHING, kinds: ["test"], isHidden: true };
    if (HIDDEN.test(line)) return { ...NOTHING, isHidden: true, isPartial: true };
    const found =
      recognise(line) ??
      (NPM_TEST.test(line) ? { kind: "test" as const, languages: ["javascript" as const] } : null) ??
      (MAKE_TESTS.test(line) ? { kind: "test" as const, languages: [] } : null);
    if (found === null) return { ...NOTHING, isPartial: !ASIDE.test(line) };
    return { ...NOTHING, kinds: [found.kind], languages: found.languages };
  };
  return tasks.map((task) => declare(task, workOf(task, 0)));
}

function declare({ name, command, folder, source, body, languages, runner }: Task, work: Work): DeclaredCommand {
  const said = isNoTest(body ?? "") ? "other" : runner === "script" || name === "" ? "test" : kindOfName(name);
  const kind =
    work.kinds.includes("test") && !/^(?:pre|post)/.test(name)
      ? "test"
      : said === "other" || isContradicted(said, work)
        ? (work.kinds[0] ?? said)
        : said;
  const told = languagesOf(name, work);
  return {
    command,
    folder,
    kind,
    source,
    languages: told.length > 0 ? told : languages,
    runs: body,
    name,
    isAssumed: told.length === 0,
  };
}

/** What only says something is no test; npm's own first test script does. */
export function isNoTest(body: string): boolean {
  return /no test specified|^echo [^&|;]*(?:(?:&&|;) *exit \d+ *)?$/i.test(body);
}

/** The languages of a task: what it runs tells more than its name. */
function languagesOf(name: string, { languages, isHidden }: Work): readonly Language[] {
  return isHidden || languages.length === 0 ? languagesOfName(name) : languages;
}

/** A script called `test:types` that only checks types is no test. */
function isContradicted(said: CommandKind, { kinds, isPartial }: Work): boolean {
  return said === "test" && !isPartial && kinds.length > 0 && kinds.every((kind) => kind !== "build" && kind !== "run");
}

function join(works: readonly Work[]): Work {
  return {
    kinds: [...new Set(works.flatMap(({ kinds }) => kinds))],
    languages: [...new Set(works.flatMap(({ languages }) => languages))],
    isHidden: works.some(({ isHidden }) => isHidden),
    isPartial: works.some(({ isPartial }) => isPartial),
  };
}

function keyOf(folder: string, runner: string, name: string): string {
  return `${folder}\0${runner}\0${name}`;
}
