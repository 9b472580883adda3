import { type RuleMode, TESTS_ACTION } from "@agent-checkpoint/categories";
import {
  ABSENT,
  assembleCheckpoint,
  explainCheckpoint,
  findProject,
  ledgerOf,
  modesOf,
  type Project,
  verifyContents,
  withRepository,
} from "@agent-checkpoint/composer";
import { type ChangedBlob, type CommitRange, type RangeReading, readRange } from "@agent-checkpoint/git";
import type { StoredStop, Verification } from "@agent-checkpoint/store";
import { type CliError, failed, refused } from "../cli-error.ts";
import type { Environment } from "../environment.ts";
import { MADE_UP_CALL } from "../made-up-call.ts";
import { visible } from "../terminal/visible.ts";
import { withStore } from "../with-store.ts";

/** What the record says about each commit of a range, and about the range as a whole. */
export interface Attestation {
  /** The commit that the range is compared with; null if it begins with the first one. */
  readonly base: string | null;
  readonly head: string;
  readonly commits: readonly AttestedCommit[];
  /** The files that the range changed, as they are in its last commit. */
  readonly files: readonly AttestedFile[];
}

export interface AttestedCommit {
  readonly commit: string;
  readonly subject: string;
  readonly files: readonly AttestedFile[];
}

/** A changed file, what its rules ask for, and the stops that were about it. */
export interface AttestedFile extends ChangedBlob {
  readonly rules: readonly AttestedRule[];
  readonly stops: readonly StopReference[];
}

/**
 * `verified`: a green run covered exactly this content. `not-verified`: a turn ended with exactly this content and without
 * such a run. `not-known`: the record of this machine has nothing on this content.
 */
export type AttestedState = "verified" | "not-verified" | "not-known";

export interface AttestedRule extends AskedRule {
  readonly state: AttestedState;
  /** When the run or the turn ended. */
  readonly at: Date | null;
  /** Who ran it: an agent, or a person with `checkpoint proof`. */
  readonly by: string | null;
  /** The stop at the end of that turn. */
  readonly stop: number | null;
  /** The shape of the command that counts. */
  readonly command: string | null;
}

/** A stop that judged a file. */
export interface StopReference {
  readonly stop: number;
  readonly at: Date;
  readonly agent: string;
  readonly decision: StoredStop["decision"];
  readonly reason: string;
}

/** A rule that asks about a file, and how it can be satisfied. */
interface AskedRule {
  readonly rule: string;
  readonly mode: RuleMode;
  readonly instruction: string;
  /** The command to run; null if the repository declares none. */
  readonly run: string | null;
}

/** Reads a range of the repository here, and what the record says of it; throws a `CliError` if either cannot be read. */
export async function readAttestation(
  text: string,
  { cwd, home, now }: Pick<Environment, "cwd" | "home" | "now">,
): Promise<Attestation & { readonly root: string }> {
  const project = await findProject(cwd, home);
  if (!project.rules.ok) throw failed("the config of this repository cannot be used", "Run checkpoint config check.");
  const { range } = usable(text, await readRange(project.root, text));
  const record = await withStore(home, async (store) => {
    // What the last turns have verified may not be recorded yet.
    await verifyContents(store, { home, now: now() });
    return {
      verifications: await store.verifications.list(ledgerOf(project)),
      stops: await store.stops.list({ isCanary: false, since: range.base?.authoredAt }),
    };
  });
  const names = [...range.files, ...range.commits.flatMap(({ files }) => files)].map(({ file }) => file);
  const asked = await askedRules(project, { files: [...new Set(names)], home, now: now() });
  return { root: project.root, ...attest({ project, range, asked, ...record }) };
}

export function usable(text: string, read: RangeReading): Extract<RangeReading, { readonly ok: true }> {
  if (read.ok) return read;
  throw cannotRead(text, read);
}

function cannotRead(text: string, { reason, detail }: Exclude<RangeReading, { readonly ok: true }>): CliError {
  if (reason === "git-failed") return failed(`git cannot read ${visible(text)}: ${visible(detail)}`);
  if (reason === "too-many-commits") return refused(`${visible(text)} has ${detail}`, "Name a shorter range.");
  return refused(
    `there is no commit ${visible(detail)} here`,
    "In a shallow clone, fetch the commits of the range first.",
  );
}

interface Known {
  readonly project: Project;
  readonly range: CommitRange;
  readonly asked: ReadonlyMap<string, readonly AskedRule[]>;
  readonly verifications: readonly Verification[];
  /** Newest first. */
  readonly stops: readonly StoredStop[];
}

function attest({ project, range, asked, verifications, stops }: Known): Attestation {
  const ledger = ledgerOf(project);
  const own = stops.filter(({ repository }) => repository !== null && ledgerOf({ repository }) === ledger);
  const known = new Map(verifications.map((one) => [keyOf(one), one]));
  const attestFile = ({ file, blob }: ChangedBlob, from: Date | null, to: Date | null): AttestedFile => ({
    file,
    blob,
    rules: (asked.get(file) ?? []).map((one) => ({
      ...one,
      ...stateOf(known.get(keyOf({ file, blob: blob ?? ABSENT, rule: one.rule }))),
    })),
    stops: own
      .filter(({ at }) => (from === null || at >= from) && (to === null || at <= to))
      .filter(({ trail }) => trail?.changedFiles?.includes(file) === true)
      .map(({ id, at, agent, decision, reason }) => ({ stop: id, at, agent, decision, reason }))
      .toReversed(),
  });
  const { base, head, commits } = range;
  return {
    base: base?.id ?? null,
    head,
    // A stop follows its commit as often as it precedes it, so the next commit ends the time of the one before.
    commits: commits.map(({ id, subject, files }, index) => {
      const from = commits[index - 1]?.authoredAt ?? base?.authoredAt ?? null;
      const to = commits[index + 1]?.authoredAt ?? null;
      return { commit: id, subject, files: files.map((one) => attestFile(one, from, to)) };
    }),
    files: range.files.map((one) => attestFile(one, base?.authoredAt ?? null, null)),
  };
}

function keyOf({ file, blob, rule }: Pick<Verification, "file" | "blob" | "rule">): string {
  return JSON.stringify([file, blob, rule]);
}

function stateOf(found: Verification | undefined): Omit<AttestedRule, keyof AskedRule> {
  if (found === undefined) return { state: "not-known", at: null, by: null, stop: null, command: null };
  const { state, at, agent, stopId: stop, command } = found;
  return { state: state === "verified" ? "verified" : "not-verified", at, by: agent ?? "person", stop, command };
}

/** What today's rules ask of each file by itself. */
async function askedRules(
  { root, aliases, rules }: Project,
  { files, home, now }: { readonly files: readonly string[]; readonly home: string; readonly now: Date },
): Promise<ReadonlyMap<string, readonly AskedRule[]>> {
  const asked = new Map<string, readonly AskedRule[]>();
  if (!rules.ok || files.length === 0) return asked;
  const modes = modesOf(rules.rules);
  const timeline = { hasData: true, toolCalls: [], prompt: { timestamp: null }, isWhole: true } as const;
  const facts = await withRepository(
    {
      rules: { ...rules, rules: { ...rules.rules, modes: {} } },
      changed: { ok: true as const, files },
      timeline,
      place: { projectPath: root, projectAliases: aliases },
      workingSlug: null,
      plan: null,
      promptAt: null,
      now,
    },
    home,
  );
  for (const file of files) {
    const one = { ...facts, changed: { ok: true as const, files: [file] } };
    const ids = explainCheckpoint(one).actions.flatMap(({ id, askedBy }) => (askedBy.includes(file) ? [id] : []));
    // A turn that has written the file and done nothing else is told what is missing, with the command for its place.
    const written = {
      ...one,
      timeline: { ...timeline, toolCalls: [{ ...MADE_UP_CALL, kind: "write" as const, cwd: root, files: [file] }] },
    };
    const { actions } = assembleCheckpoint(written).result;
    asked.set(
      file,
      ids
        .map((rule) => {
          const instruction = actions.find(({ id }) => id === rule)?.instruction ?? rule;
          return { rule, mode: modes[rule] ?? "require", instruction, run: commandOf(rule, instruction, rules.rules) };
        })
        .filter(({ mode }) => mode !== "off"),
    );
  }
  return asked;
}

/** The command of a rule: what its instruction names for tests, its steps for anything else. */
function commandOf(
  rule: string,
  instruction: string,
  { actions }: Extract<Project["rules"], { readonly ok: true }>["rules"],
): string | null {
  if (rule === TESTS_ACTION) return /`([^`]+)`$/.exec(instruction)?.[1] ?? null;
  return (actions.find(({ id }) => id === rule)?.steps ?? []).map(({ run }) => run).join(" && ") || null;
}
