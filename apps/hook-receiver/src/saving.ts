import { isAutonomous } from "@agent-checkpoint/autosave/is-autonomous";
import type { SaveRules } from "@agent-checkpoint/categories";
import type { Place, SaveFacts, SaveLook, Saving } from "@agent-checkpoint/gate";
import { appendLog } from "@agent-checkpoint/store/files";
import type { StopCall } from "./handle-stop.ts";
import { userHome } from "./is-flagged-autonomous.ts";

/** Looks after the work of a session whose context fills up; the saving itself is another program, started only then. */
export function createSaving(place: Place, call: StopCall): Saving {
  const { env, payload, tell } = call;
  const { agent, home, now } = place;
  let percent: number | null = null;
  let threshold: number | null = null;
  const isOn = ({ mode }: SaveRules) => isAutonomous({ env, userHome: userHome(env), mode });
  return {
    tell,
    isAutonomous: isOn,
    look: async ({ event, session, rules }: SaveFacts): Promise<SaveLook> => {
      const { decideTrigger, markAfterSave, parseThreshold, readUsage } =
        await import("@agent-checkpoint/autosave/threshold");
      const limit = parseThreshold(env["CLAUDE_CONTEXT_THRESHOLD"], rules.threshold);
      if (limit.warning !== null) appendLog(home, { level: "warn", event: "threshold", detail: limit.warning });
      const { sessionId, transcriptPath } = event;
      const { contextWindow } = rules;
      const usage = readUsage({ agent, sessionId, transcriptPath, payload, home, now, contextWindow });
      const isCompacted = usage.percent === null && usage.isCompacted;
      const mark = session?.contextMark ?? null;
      ({ percent } = usage);
      threshold = limit.percent;
      const trigger = decideTrigger({ percent, isCompacted, threshold, mark, now });
      if (trigger.verdict !== "due")
        return { isDue: false, outcome: trigger.verdict, advice: null, mark: trigger.mark };
      if (isOn(rules)) return { isDue: true, outcome: "due", advice: null };
      return {
        isDue: false,
        outcome: "advised",
        advice: adviceAt(percent ?? threshold, threshold),
        markIfAdvised: markAfterSave("advised", now),
      };
    },
    save: async ({ event, session, rules }, result) => {
      const [{ runSaveWorker }, { markAfterSave }] = await Promise.all([
        import("./run-save-worker.ts"),
        import("@agent-checkpoint/autosave/threshold"),
      ]);
      const { outcome, message, extras } = await runSaveWorker(
        {
          agent,
          sessionId: event.sessionId ?? "",
          projectPath: event.projectPath,
          transcriptPath: event.transcriptPath,
          trigger: "stop",
          percent,
          rules: { ...rules, threshold: threshold ?? rules.threshold },
          openActions: result?.requiredActions ?? [],
          failures: result?.findings.filter(({ isFailure }) => isFailure).map(({ text }) => text) ?? [],
          baseline: session?.baseline ?? null,
          home,
          userHome: userHome(env),
        },
        env,
      );
      return { outcome, message, extras, mark: markAfterSave(outcome, now) };
    },
  };
}

function adviceAt(percent: number, threshold: number): string {
  return `The context is ${Math.round(percent)} % full, past the threshold of ${threshold} %: save the work before it is summarised, with \`checkpoint save\` or a commit of your own.`;
}
