import { isSaved, type Refusal, saveAndRecord, type SaveReport } from "@agent-checkpoint/autosave";
import { readUsage } from "@agent-checkpoint/autosave/threshold";
import { SAVE_DEFAULTS, type SaveRules } from "@agent-checkpoint/categories";
import { gatherStopFacts, weighStop } from "@agent-checkpoint/composer";
import { findGitRoot } from "@agent-checkpoint/git";
import type { Store } from "@agent-checkpoint/store";
import { findTranscript } from "@agent-checkpoint/transcript";
import type { Command } from "commander";
import { refused } from "../cli-error.ts";
import type { CommandContext } from "../command-context.ts";
import { EXIT, type ExitCode } from "../exit-codes.ts";
import { findSession, type SessionChoice } from "../sessions/find-session.ts";
import type { Style } from "../terminal/style.ts";
import { toJson, visible } from "../terminal/visible.ts";
import { withStore } from "../with-store.ts";
import { agentOption } from "./agent-option.ts";

interface SaveOptions extends SessionChoice {
  readonly allowProtected?: true;
  readonly push?: boolean;
  readonly json?: true;
}

/** `checkpoint save`: commits a session's own files, with the status document. */
export function save(command: Command, context: CommandContext): void {
  command
    .description(
      "Takes a snapshot, writes the state of the work into the status document, and commits only what this session's agent wrote. Defaults to the session that runs this command, or the newest one in this repository.",
    )
    .option("--session <id>", "another session, by id or prefix")
    .addOption(agentOption("the newest session of this agent"))
    .option("--allow-protected", "also commit on a protected branch")
    .option("--push", "push the commit to the branch's own upstream, whatever the config says")
    .option("--no-push", "do not push, whatever the config says")
    .option("--json", "print one JSON value")
    .addHelpText("after", HELP)
    .action(async (options: SaveOptions) => {
      const { home, out, exit, style } = context;
      const report = await withStore(home, (store) => saveSession(store, options, context));
      const { pushLater: _, ...told } = report;
      out(options.json === true ? toJson(told) : renderSave(report, style));
      exit(exitCodeOf(report));
    });
}

const HELP = `
A file that someone else has changed too is left out and listed. What others have
staged stays staged; hooks and signatures stay on. Without a commit the work tree
is unchanged. docs/autosave.md explains when a save is refused.

Examples:
  $ checkpoint save
  $ checkpoint save --session 3f1c0d77 --allow-protected
  $ checkpoint save --push --json
`;

/** The hooks of a repository may be slow. */
const BUDGET_MS = 120_000;

async function saveSession(store: Store, options: SaveOptions, context: CommandContext): Promise<SaveReport> {
  const { home, cwd, userHome, env } = context;
  const now = context.now();
  const { agent, sessionId, record } = await findSession(store, context, options);
  // Uses the session's own folder: one inside a repository is refused, as in the hook.
  const projectPath = record?.projectPath ?? findGitRoot(cwd) ?? cwd;
  const transcriptPath =
    record?.transcriptPath ?? findTranscript({ agentName: agent, sessionId, projectPath, home: userHome, env });
  if (transcriptPath === null)
    throw refused(
      `the transcript of ${agent} session ${sessionId} was not found`,
      "Without it the agent's files are unknown. Name another session with --session.",
    );
  const place = { agent, home, now, workingSlug: null, route: "hook" } as const;
  const facts = await gatherStopFacts({ sessionId, projectPath, transcriptPath, promptId: null }, place, store);
  const { rules: loaded } = facts.project;
  const configured = (loaded.ok ? loaded.rules.save : undefined) ?? SAVE_DEFAULTS;
  const rules: SaveRules = {
    ...configured,
    ...(options.allowProtected === true && { protectedBranches: [] }),
    ...(options.push !== undefined && { push: options.push }),
  };
  const { result } = (await weighStop(facts)).content.checkpoint;
  const { contextWindow } = rules;
  const saved = await saveAndRecord(
    {
      agent,
      sessionId,
      projectPath,
      transcriptPath,
      trigger: "asked",
      percent: readUsage({ agent, sessionId, transcriptPath, payload: null, home, now, env, contextWindow }).percent,
      rules,
      openActions: result?.requiredActions ?? [],
      failures: result?.findings.filter(({ isFailure }) => isFailure).map(({ text }) => text) ?? [],
      baseline: record?.baseline ?? null,
      home,
      userHome,
      snapshotDays: loaded.ok ? loaded.rules.safety?.keepDays : undefined,
      budgetMs: BUDGET_MS,
    },
    store,
  );
  return saved.report;
}

/** 1 if a file or the push was left out, 2 if the save was refused, 3 if it failed. */
function exitCodeOf({ outcome, leftOut }: SaveReport): ExitCode {
  if (outcome.startsWith("refused:")) return EXIT.usage;
  if (outcome.startsWith("failed:")) return EXIT.failed;
  const isWhole = Object.keys(leftOut).length === 0 && outcome !== "committed-push-deferred";
  return isSaved(outcome) && !isWhole ? EXIT.found : EXIT.ok;
}

function renderSave(report: SaveReport, style: Style): string {
  const { outcome, commit, branch, files, leftOut, altered, checkpoint, detail, section } = report;
  const lines = [
    headline(report, style),
    ...(isSaved(outcome) ? files.map((file) => `  ${visible(file)}`) : []),
    ...Object.entries(leftOut).map(
      ([file, reason]) => `  ${style.warn("left out:")} ${visible(file)} (${visible(reason)})`,
    ),
    ...altered.map((file) => `  ${style.warn("changed during the commit, perhaps by a hook:")} ${visible(file)}`),
    ...(checkpoint === null ? [] : [`Snapshot: ${checkpoint} (checkpoint snapshot restore brings it back)`]),
    ...(outcome === "committed-push-deferred" && detail !== null
      ? [`${style.warn("Not pushed:")} ${visible(detail)}`]
      : []),
    ...(commit === null && section !== null && outcome !== "nothing-to-do"
      ? ["", `State of the work (${branch ?? "no branch"}):`, section]
      : []),
  ];
  return `${lines.join("\n")}\n`;
}

function headline({ outcome, commit, branch, detail }: SaveReport, style: Style): string {
  if (outcome === "nothing-to-do") return `Nothing to save${detail === null ? "" : `: ${visible(detail)}`}.`;
  if (isSaved(outcome))
    return `${style.good("Saved")} in ${(commit ?? "").slice(0, 12)} on ${visible(branch ?? "")}${outcome === "committed-pushed" ? ", and pushed" : ""}:`;
  const reason = outcome.slice(outcome.indexOf(":") + 1);
  const { what = `${reason} failed`, advice = null } = (REFUSALS as Partial<Record<string, Words>>)[reason] ?? {};
  const why = `${style.bad("Not committed:")} ${what}${detail === null ? "." : ` (${visible(detail)}).`}`;
  return advice === null ? why : `${why}\n${advice}`;
}

/** A refusal in words, and what to do about it. */
interface Words {
  readonly what: string;
  readonly advice: string | null;
}

/** An operation of git that has to end before anything can be committed. */
function underWay(operation: string): Words {
  return { what: `a ${operation} is in progress`, advice: `Finish it, or end it with git ${operation} --abort.` };
}

const REFUSALS: Readonly<Record<Refusal, Words>> = {
  "not-a-repository": { what: "this is not a git repository", advice: "Run git init, or call it in a repository." },
  "parent-repository": {
    what: "the session's folder belongs to a repository above it",
    advice: "Start the agent at the root of the repository that it works in.",
  },
  "detached-head": { what: "HEAD is on no branch", advice: "Create one: git switch -c <name>" },
  merge: underWay("merge"),
  rebase: underWay("rebase"),
  "cherry-pick": underWay("cherry-pick"),
  revert: underWay("revert"),
  bisect: { what: "a bisect is in progress", advice: "End it with git bisect reset." },
  conflicts: { what: "there are conflicts", advice: "Resolve them, and git add the files." },
  "protected-branch": {
    what: "the branch is protected",
    advice: "Commit on another one (git switch -c <name>), or add --allow-protected.",
  },
  "index-locked": {
    what: "another git process holds the index",
    advice: "Run it again when that has ended; delete .git/index.lock only if no git is running.",
  },
  "head-moved": { what: "the branch was switched during the save", advice: "Run it again." },
  "status-document": {
    what: "the status document cannot be written",
    advice: "Correct it, or name another in the config (save.statusDocument).",
  },
  "mixed-files": {
    what: "someone else has changed the same files",
    advice: "Commit them yourself: what is whose cannot be told apart.",
  },
  secrets: { what: "the files contain secrets", advice: "Take them out, or have git ignore the files." },
};
