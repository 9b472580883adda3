import { isSaved, saveAndRecord, type SaveReport } from "@agent-checkpoint/autosave";
import { readUsage } from "@agent-checkpoint/autosave/threshold";
import { SAVE_DEFAULTS, type SaveRules } from "@agent-checkpoint/categories";
import { gatherStopFacts, weighStop } from "@agent-checkpoint/composer";
import { findGitRoot } from "@agent-checkpoint/git";
import { findTranscript } from "@agent-checkpoint/transcript";
import { CliError } from "../cli-error.ts";
import type { CommandContext } from "../commands/command-context.ts";
import { EXIT, type ExitCode } from "../exit-codes.ts";
import { findSession, type SessionChoice } from "../sessions/find-session.ts";
import type { Style } from "../terminal/style.ts";
import { toJson, visible } from "../terminal/visible.ts";
import { withStore } from "../with-store.ts";

export interface SaveOptions extends SessionChoice {
  readonly allowProtected?: true;
  readonly push?: boolean;
  readonly json?: true;
}

/** The hooks of a repository may be slow. */
const BUDGET_MS = 120_000;

/** Saves the work of the chosen session, and prints the result. */
export async function saveSession(options: SaveOptions, context: CommandContext): Promise<void> {
  const { home, out, exit, style } = context;
  const report = await withStore(home, async (store) => {
    const { agent, sessionId, record } = await findSession(store, context, options);
    const { cwd, userHome, env, now } = context;
    // Uses the session's own folder: one inside a repository is refused, as in the hook.
    const projectPath = record?.projectPath ?? findGitRoot(cwd) ?? cwd;
    const transcriptPath =
      record?.transcriptPath ?? findTranscript({ agentName: agent, sessionId, projectPath, home: userHome, env });
    if (transcriptPath === null)
      throw new CliError(`the transcript of ${agent} session ${sessionId} was not found`, {
        exitCode: EXIT.usage,
        advice: "Without it the agent's files are unknown. Name another session with --session.",
      });
    const place = { agent, home, now: now(), workingSlug: null, route: "hook" } as const;
    const facts = await gatherStopFacts({ sessionId, projectPath, transcriptPath, promptId: null }, place, store);
    const { rules: loaded } = facts.project;
    const rules = rulesOf((loaded.ok ? loaded.rules.save : undefined) ?? SAVE_DEFAULTS, options);
    const { result } = (await weighStop(facts)).content.checkpoint;
    const usage = { agent, sessionId, transcriptPath, payload: null, home, now: now() };
    const saved = await saveAndRecord(
      {
        agent,
        sessionId,
        projectPath,
        transcriptPath,
        trigger: "asked",
        percent: readUsage({ ...usage, contextWindow: rules.contextWindow }).percent,
        rules,
        openActions: result?.requiredActions ?? [],
        failures: result?.findings.filter(({ isFailure }) => isFailure).map(({ text }) => text) ?? [],
        baseline: record?.baseline ?? null,
        home,
        userHome,
        budgetMs: BUDGET_MS,
      },
      store,
    );
    return saved.report;
  });
  const { pushLater: _, ...told } = report;
  out(options.json === true ? toJson(told) : renderSave(report, style));
  const code = exitCodeOf(report);
  if (code !== EXIT.ok) exit(code);
}

function rulesOf(rules: SaveRules, { allowProtected, push }: SaveOptions): SaveRules {
  return {
    ...rules,
    ...(allowProtected === true && { protectedBranches: [] }),
    ...(push !== undefined && { push }),
  };
}

/** 1 if a file or the push was left out, 2 if the save was refused, 3 if it failed. */
function exitCodeOf({ outcome, leftOut }: SaveReport): ExitCode {
  if (outcome.startsWith("refused:")) return EXIT.usage;
  if (outcome.startsWith("failed:")) return EXIT.failed;
  const isWhole = Object.keys(leftOut).length === 0 && outcome !== "committed-push-deferred";
  return isSaved(outcome) && !isWhole ? EXIT.found : EXIT.ok;
}

/** The result of a save as text. */
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
  return `${style.bad("Not committed:")} ${outcome}${detail === null ? "" : `: ${visible(detail)}`}`;
}
