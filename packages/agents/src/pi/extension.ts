import type { HooksForm } from "../settings/plan.ts";
import { hooksInProgram } from "../settings/hooks-in-program.ts";

/**
 * pi's extension. A run that failed or was interrupted is not a stop. A message that arrives after the person has pressed
 * Escape would stay in the session as the last word, so it is dropped.
 */
export const extension: HooksForm = hooksInProgram({
  code: String.raw`
export default function (pi) {
  const inSession = ({ sessionManager, cwd }) => ({
    session_id: sessionManager.getSessionId(),
    transcript_path: sessionManager.getSessionFile() ?? null,
    cwd,
  });
  const tell = (ctx, answer) => {
    if (ctx.hasUI && typeof answer?.systemMessage === "string") ctx.ui.notify(answer.systemMessage, "info");
  };
  pi.on("input", async ({ text, source, streamingBehavior }, ctx) => {
    if (source !== "extension" && streamingBehavior !== "steer") await ask("UserPromptSubmit", { ...inSession(ctx), prompt: text });
  });
  pi.on("tool_call", async ({ toolName, input }, ctx) => {
    const answer = await ask("PreToolUse", { ...inSession(ctx), tool_name: toolName, tool_input: input });
    const { permissionDecision, permissionDecisionReason } = answer?.hookSpecificOutput ?? {};
    if (permissionDecision === "deny") return { block: true, reason: permissionDecisionReason };
  });
  pi.on("session_before_compact", async (_event, ctx) => tell(ctx, await ask("PreCompact", inSession(ctx))));
  pi.on("agent_before_settle", async ({ outcome, entries }, ctx) => {
    if (outcome !== "completed") return;
    const { signal } = ctx;
    const answer = await ask("Stop", inSession(ctx));
    tell(ctx, answer);
    if (answer?.decision !== "block" || signal?.aborted) return;
    const message = { type: "custom_message", customType: "agent-checkpoint", content: answer.reason, display: true };
    return { entries: [...entries, message], continue: true };
  });
}
`,
});
