import { SAVE_DEFAULTS, type SaveRules } from "@agent-checkpoint/categories";
import { findGitRoot, loadRules } from "@agent-checkpoint/composer";
import { isSaved, saveAndRecord, type SaveReport } from "@agent-checkpoint/autosave";
import { readUsage } from "@agent-checkpoint/autosave/threshold";
import { previewStop } from "@agent-checkpoint/gate";
import { findTranscript } from "@agent-checkpoint/transcript";
import { CliError } from "../cli-error.ts";
import type { CommandContext } from "../commands/command-context.ts";
import { EXIT, type ExitCode } from "../exit-codes.ts";
import { findSession, type SessionChoice } from "../sessions/find-session.ts";
import { toJson } from "../terminal/to-json.ts";
import { withStore } from "../with-store.ts";
import { renderSave } from "./render-save.ts";

/** What may be said beside whose work it is. */
export interface SaveOptions extends SessionChoice {
  readonly allowProtected?: true;
  readonly push?: boolean;
  readonly json?: true;
}

/** A person or an agent waits for it, and hooks of a repository may take their time. */
const BUDGET_MS = 120_000;

/** Saves the work of the session that is meant, and says what came of it. */
export async function saveSession(options: SaveOptions, context: CommandContext): Promise<void> {
  const { home, out, exit, style } = context;
  const report = await withStore(home, async (store) => {
    const { agent, sessionId, record } = await findSession(store, context, options);
    const { cwd, userHome, env, now } = context;
    // The session's own folder decides: one inside a repository is refused as it is in the hook.
    const projectPath = record?.projectPath ?? findGitRoot(cwd) ?? cwd;
    const transcriptPath =
      record?.transcriptPath ?? findTranscript({ agentName: agent, sessionId, projectPath, home: userHome, env });
    if (transcriptPath === null)
      throw new CliError(`the transcript of ${agent} session ${sessionId} is not found`, {
        exitCode: EXIT.usage,
        advice: "Without it nobody can tell which files are the agent's. Name another session with --session.",
      });
    const loaded = loadRules(findGitRoot(projectPath) ?? projectPath, home);
    const rules = rulesOf((loaded.ok ? loaded.rules.save : undefined) ?? SAVE_DEFAULTS, options);
    const event = { type: "stop", sessionId, projectPath, transcriptPath, ...A_STOP } as const;
    const place = { agent, home, now: now(), workingSlug: null, route: "hook" } as const;
    const { result } = (await previewStop(event, place, store)).content;
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

const A_STOP = { promptId: null, isRepeated: false, exemption: null, promptText: null, lastMessage: null } as const;

function rulesOf(rules: SaveRules, { allowProtected, push }: SaveOptions): SaveRules {
  return {
    ...rules,
    ...(allowProtected === true && { protectedBranches: [] }),
    ...(push !== undefined && { push }),
  };
}

/** 1 where something of the session's is not where it was to go, 2 where it was refused, 3 where it failed. */
function exitCodeOf({ outcome, leftOut }: SaveReport): ExitCode {
  if (outcome.startsWith("refused:")) return EXIT.usage;
  if (outcome.startsWith("failed:")) return EXIT.failed;
  const isWhole = Object.keys(leftOut).length === 0 && outcome !== "committed_push_deferred";
  return isSaved(outcome) && !isWhole ? EXIT.found : EXIT.ok;
}
