import { extname } from "node:path";
import { isInCategory, type Rules } from "@agent-checkpoint/categories";
import { assembleCheckpoint, type DeliveryReason, reasonByClock } from "@agent-checkpoint/composer";
import {
  type CheckpointResult,
  findEvidence,
  type ProjectPlace,
  readTurn,
  type RepositoryFacts,
  toProjectPath,
  type Turn,
} from "@agent-checkpoint/heuristics";
import type { AgentName, PastTurn } from "@agent-checkpoint/transcript";
import type { ProjectRules } from "./replay-rules.ts";

/** The verdict of the rules on a turn. */
export type Judgement =
  | { readonly kind: "no-stop"; readonly why: Exclude<PastTurn["ending"]["kind"], "stopped"> }
  | { readonly kind: "too-soon" }
  | (Verdict & { readonly kind: "passed" })
  | (Verdict & {
      readonly kind: "blocked";
      readonly message: string;
      /** Whether the turn had committed its changes: then git may have listed nothing at the stop. */
      readonly isCommitted: boolean;
    });

interface Verdict {
  readonly reason: DeliveryReason;
  readonly result: CheckpointResult;
  readonly changedFiles: readonly string[];
}

/** The rules and facts that a turn is judged by. */
export interface Judging {
  readonly agentName: AgentName;
  readonly rules: Extract<ProjectRules, { readonly ok: true }>;
  readonly repository: RepositoryFacts;
}

/** Judges a turn at its end as the hook would have, with the turn's own changes instead of git's. */
export function judgeTurn({ timeline, ending }: PastTurn, { agentName, rules: found, repository }: Judging): Judgement {
  if (ending.kind !== "stopped") return { kind: "no-stop", why: ending.kind };
  const { rules, configFile, root } = found;
  if (isTooSoon(timeline.prompt?.timestamp ?? null, ending.at, rules.timerSeconds)) return { kind: "too-soon" };
  const place: ProjectPlace = { projectPath: root };
  const turn = readTurn(timeline, place);
  const changedFiles = changedBy(turn, rules);
  const { deliver, reason, result, message } = assembleCheckpoint({
    agent: agentName,
    rules: { ok: true, rules, configFile },
    changed: { ok: true, files: changedFiles },
    timeline,
    place,
    repository: withoutNewFolders(repository, turn, place),
    workingSlug: null,
    plan: null,
    promptAt: null,
    now: ending.at ?? undefined,
  });
  const verdict: Verdict = { reason, result, changedFiles };
  if (!deliver) return { kind: "passed", ...verdict };
  return { kind: "blocked", ...verdict, message, isCommitted: isCommitted(turn) };
}

/** The facts, minus tests in folders that the turn created without a test: the repository may be newer than the turn. */
function withoutNewFolders(facts: RepositoryFacts, { calls, changes }: Turn, place: ProjectPlace): RepositoryFacts {
  const named = calls.flatMap(({ commands }) =>
    commands.flatMap(({ argv: [program, ...args], folder }) =>
      program === "mkdir" ? args.flatMap((path) => toProjectPath(path, place, folder ?? ".") ?? []) : [],
    ),
  );
  const isIn = (path: string, folder: string) => path === folder || path.startsWith(`${folder}/`);
  const firstIn = (folder: string) =>
    calls.find(({ reads, writes }) => [...reads, ...writes].some(({ file }) => isIn(file, folder)));
  // `mkdir -p` may name what is there already: then it is mostly read or edited first.
  const made = named.filter((folder) => firstIn(folder)?.record.kind === "write");
  const isNew = (folder: string) =>
    made.some((one) => isIn(folder, one)) && !changes.some(({ file }) => isIn(file, folder));
  const testFolders = Object.entries(facts.testFolders).map(([language, folders = []]) => [
    language,
    folders.filter((folder) => !isNew(folder)),
  ]);
  return made.length === 0 ? facts : { ...facts, testFolders: Object.fromEntries(testFolders) };
}

/** The gate's own timer; a turn without times, from the oldest transcripts, counts as long enough. */
function isTooSoon(promptAt: Date | null, stopAt: Date | null, timerSeconds: number): boolean {
  if (promptAt === null || stopAt === null) return false;
  return reasonByClock({ promptAt, checkpointAt: null, timerSeconds, now: stopAt }) === "timer";
}

/**
 * The files that git would probably have listed.
 *
 * A command may name a folder or a glob, but git lists files: a name without an extension counts only if a rule covers it
 * or a tool wrote it. A shell that was left in a folder names files relative to it: a name that is the end of another one
 * is that one. Folders that hardly any repository tracks are left out.
 */
function changedBy({ calls, changes }: Turn, { categories }: Rules): readonly string[] {
  const byTools = new Set(
    calls.filter(({ record }) => record.kind !== "shell").flatMap(({ writes }) => writes.map(({ file }) => file)),
  );
  const isFile = (file: string): boolean =>
    byTools.has(file) ||
    (!/[*?[{]/.test(file) && (extname(file) !== "" || categories.some((row) => isInCategory(file, row))));
  // What git put back into the state of a commit is no change to it.
  const restored = new Set(calls.flatMap((call) => call.restored.map(({ file, order }) => `${order} ${file}`)));
  const own = changes.filter(({ file, order }) => !restored.has(`${order} ${file}`));
  const files = [...new Set(own.map(({ file }) => file))];
  const isShortened = (file: string): boolean =>
    !byTools.has(file) && files.some((other) => other.endsWith(`/${file}`));
  return files
    .filter((file) => isFile(file) && !isShortened(file) && !file.split("/").some((part) => UNTRACKED.has(part)))
    .toSorted();
}

const UNTRACKED: ReadonlySet<string> = new Set([
  ".git",
  "node_modules",
  "dist",
  "build",
  "out",
  "target",
  "coverage",
  "tmp",
  ".venv",
  "venv",
  "__pycache__",
  ".pytest_cache",
  ".cache",
  ".next",
  ".turbo",
]);

function isCommitted(turn: Turn): boolean {
  const lastChange = turn.changes.at(-1);
  return lastChange !== undefined && findEvidence(turn, ["git commit"], lastChange.order).status === "found";
}
