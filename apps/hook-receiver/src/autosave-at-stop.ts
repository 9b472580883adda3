import { isAutonomous } from "@agent-checkpoint/autosave/is-autonomous";
import type { SaveRules } from "@agent-checkpoint/categories";
import { SAVE_DEFAULTS } from "@agent-checkpoint/categories/defaults";
import type { Addition, StopFacts, WeighedStop } from "@agent-checkpoint/composer";
import { appendLog } from "@agent-checkpoint/store/log";
import type { StopCall } from "./handle-stop.ts";
import type { AnswerExtras } from "@agent-checkpoint/agents/wire";

/** What saving adds to a stop, and to its answer. */
export interface SavedAtStop extends Addition {
  readonly extras?: AnswerExtras | undefined;
}

/** How work is saved at a stop; null if it is not looked at. */
export interface SavePlan {
  readonly rules: SaveRules;
  /** Whether work is saved without asking, and so at stops that pass as well. */
  readonly isAutonomous: boolean;
}

/** Plans the saving at a stop: only of a session's own work, and only if the config or the environment switches it on. */
export function planSave(facts: StopFacts, env: NodeJS.ProcessEnv): SavePlan | null {
  const { project } = facts;
  const configured = project.rules.ok ? project.rules.rules.save : undefined;
  const rules = configured ?? SAVE_DEFAULTS;
  const isOn = isAutonomous({ env, userHome: userHome(env), mode: rules.mode });
  return isOwnStop(facts) && (isOn || configured !== undefined) ? { rules, isAutonomous: isOn } : null;
}

/** Whether a stop is that of a session whose work is looked after. */
export function isOwnStop({ event, place, isSnoozed }: StopFacts): boolean {
  return event.sessionId !== null && event.exemption == null && !isSnoozed && place.isCanary !== true;
}

/** Saves the work of a session whose context is past the threshold, or advises it; the saving is a program of its own. */
export async function autosaveAtStop(
  { facts, pass, content }: WeighedStop,
  { rules, isAutonomous: isOn }: SavePlan,
  { env, payload }: StopCall,
): Promise<SavedAtStop> {
  const { decideTrigger, markAfterSave, parseThreshold, readUsage } =
    await import("@agent-checkpoint/autosave/threshold");
  const { event, session, place } = facts;
  const { agent, home, now } = place;
  const { projectPath, transcriptPath } = event;
  const sessionId = event.sessionId ?? "";
  const { percent: threshold, warning } = parseThreshold(env["CLAUDE_CONTEXT_THRESHOLD"], rules.threshold);
  if (warning !== null) appendLog(home, { level: "warn", event: "threshold", detail: warning });
  const { contextWindow } = rules;
  const usage = readUsage({ agent, sessionId, transcriptPath, payload, home, now, contextWindow, env });
  const isCompacted = usage.percent === null && usage.isCompacted;
  if (usage.percent === null && !isCompacted)
    appendLog(home, { level: "warn", event: "usage-unknown", detail: `not known: ${usage.why}` });
  const { percent } = usage;
  const trigger = decideTrigger({ percent, isCompacted, threshold, mark: session?.contextMark ?? null, now });
  const { deliver, result } = content.checkpoint;
  if (trigger.verdict !== "due") return { ...SILENT, outcome: trigger.verdict, mark: trigger.mark };
  if (!isOn) {
    const isGiven = pass === null && deliver;
    const remark = adviceAt(percent ?? threshold, threshold);
    return { ...SILENT, outcome: "advised", remark, mark: isGiven ? markAfterSave("advised", now) : undefined };
  }
  const { runSaveWorker } = await import("./run-save-worker.ts");
  const saved = await runSaveWorker(
    {
      agent,
      sessionId,
      projectPath,
      transcriptPath,
      trigger: "stop",
      percent,
      rules: { ...rules, threshold },
      openActions: result?.requiredActions ?? [],
      failures: result?.findings.filter(({ isFailure }) => isFailure).map(({ text }) => text) ?? [],
      baseline: session?.baseline ?? null,
      home,
      userHome: userHome(env),
      snapshotDays: facts.project.rules.ok ? facts.project.rules.rules.safety?.keepDays : undefined,
    },
    env,
  );
  const { outcome, message: paragraph, extras } = saved;
  return { outcome, remark: null, paragraph, extras, mark: markAfterSave(outcome, now) };
}

const SILENT = { remark: null, paragraph: null } as const;

function adviceAt(percent: number, threshold: number): string {
  return `The context is ${Math.round(percent)} % full, past the threshold of ${threshold} %: save the work before it is summarised, with \`checkpoint save\` or a commit of your own.`;
}

/** The person's home; the root for a user whom the system does not know. */
export function userHome(env: NodeJS.ProcessEnv): string {
  try {
    return env["HOME"] || process.getBuiltinModule("node:os").homedir();
  } catch {
    return "/";
  }
}
