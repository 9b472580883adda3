import type { HooksForm } from "../settings/plan.ts";
import { hooksInProgram } from "../settings/hooks-in-program.ts";

/**
 * OpenCode's plugin. OpenCode has no event for the end of a turn, but its loop goes on if a user message is added while the
 * last text is completed. With some models a tool call may still follow that text, and start while we ask. So the first
 * question is tentative: no message is added once a tool has started, one that was added is taken back, and the block is
 * recorded when the model is about to read it.
 *
 * Sessions are in a database, so the plugin writes each as a file for us: one line per message, as the API returns it.
 */
export const plugin: HooksForm = hooksInProgram({
  imports: `import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
`,
  code: String.raw`
const FOLDER = join(process.env.XDG_DATA_HOME || join(homedir(), ".local", "share"), "opencode", "agent-checkpoint");
const KEPT_MS = 30 * 24 * 60 * 60 * 1000;

export const AgentCheckpoint = async ({ client, directory }) => {
  const aborted = new Set();
  // Per session: the message that the model has not read yet. Per prompt: that one was read, whatever the hook makes of it.
  const unread = new Map();
  const asked = new Set();
  // Per session: how many tools have started.
  const started = new Map();
  const quietly = (handler) => async (...args) => {
    try {
      await handler(...args);
    } catch {
      // What a handler throws here would end the turn.
    }
  };
  const sessionOf = async (id) => (await client.session.get({ path: { id } })).data;
  const messagesOf = async (id) => (await client.session.messages({ path: { id } })).data ?? [];
  const inSession = (id) => ({ session_id: id, transcript_path: join(FOLDER, id + ".jsonl"), cwd: directory });

  const writeSession = async (session, messages) => {
    const lines = [
      { type: "opencode-session", id: session.id, parent: session.parentID ?? null, cwd: session.directory },
      ...messages.map(({ info, parts }) => ({ timestamp: new Date(info.time.created).toISOString(), info, parts })),
    ];
    mkdirSync(FOLDER, { recursive: true, mode: 0o700 });
    const text = lines.map((line) => JSON.stringify(line) + "\n").join("");
    writeFileSync(inSession(session.id).transcript_path, text, { mode: 0o600 });
    const { data: children = [] } = await client.session.children({ path: { id: session.id } });
    for (const child of children ?? []) await writeSession(child, await messagesOf(child.id));
  };

  const tell = async (answer) => {
    if (typeof answer?.systemMessage === "string")
      await client.tui.showToast({ body: { message: answer.systemMessage, variant: "info" } });
  };

  const withdraw = async (id) => {
    const { part } = unread.get(id) ?? {};
    if (part === undefined) return;
    unread.delete(id);
    const path = { id, mid: part.messageID, pid: part.id };
    const api = client._client ?? client.session._client;
    const url = "/session/{id}/message/{mid}/part/{pid}";
    const headers = { "Content-Type": "application/json" };
    await api.patch({ url, path, headers, body: { ...part, ignored: true } });
  };

  await quietly(async () => {
    for (const path of readdirSync(FOLDER).map((name) => join(FOLDER, name)))
      if (Date.now() - statSync(path).mtimeMs > KEPT_MS) rmSync(path, { force: true });
  })();

  return {
    event: quietly(async ({ event }) => {
      const { sessionID } = event.properties ?? {};
      if (event.type === "session.error") aborted.add(sessionID);
      if (event.type !== "session.idle") return;
      // By now it is known how the turn ended.
      const session = await sessionOf(sessionID);
      if (session && !session.parentID) await writeSession(session, await messagesOf(sessionID));
    }),
    "chat.message": quietly(async ({ sessionID }, { message, parts }) => {
      const texts = parts.filter(isHuman).map((part) => part.text);
      if (texts.length === 0 || (await sessionOf(sessionID))?.parentID) return;
      aborted.delete(sessionID);
      await ask("UserPromptSubmit", { ...inSession(sessionID), prompt_id: message.id, prompt: texts.join("\n") });
    }),
    "experimental.text.complete": quietly(async ({ sessionID, messageID, partID }, { text }) => {
      const startedBefore = started.get(sessionID);
      const isNoStop = () => aborted.has(sessionID) || started.get(sessionID) !== startedBefore;
      const session = await sessionOf(sessionID);
      if (!session || session.parentID || unread.has(sessionID)) return;
      const messages = await messagesOf(sessionID);
      const at = messages.findIndex(({ info }) => info.id === messageID);
      const [reply, ...later] = messages.slice(at);
      if (at === -1 || later.length > 0 || reply.info.summary || reply.parts.some((part) => part.type === "tool")) return;
      for (const part of reply.parts) if (part.id === partID) part.text = text;
      await writeSession(session, messages);
      const prompt = messages.findLast(({ info, parts }) => info.role === "user" && parts.some(isHuman))?.info.id ?? null;
      const stop = { ...inSession(sessionID), prompt_id: prompt, permission_mode: reply.info.mode ?? null };
      const answer = await ask("Stop", { ...stop, stage: "tentative" });
      await quietly(tell)(answer);
      if (answer?.decision !== "block" || isNoStop() || asked.has(prompt)) return;
      const parts = [{ type: "text", text: answer.reason, synthetic: true }];
      const { data: added } = await client.session.prompt({ path: { id: sessionID }, body: { noReply: true, parts } });
      if (added?.parts?.[0]) unread.set(sessionID, { part: added.parts[0], stop });
      if (isNoStop()) await withdraw(sessionID);
    }),
    "experimental.chat.messages.transform": quietly(async (_input, { messages }) => {
      const sessionID = messages.at(-1)?.info.sessionID;
      const { stop } = unread.get(sessionID) ?? {};
      if (stop === undefined) return;
      unread.delete(sessionID);
      asked.add(stop.prompt_id);
      await ask("Stop", { ...stop, stage: "delivered" });
    }),
    "tool.execute.before": async ({ sessionID, tool }, { args }) => {
      started.set(sessionID, (started.get(sessionID) ?? 0) + 1);
      await quietly(withdraw)(sessionID);
      const answer = await ask("PreToolUse", { ...inSession(sessionID), tool_name: tool, tool_input: args });
      const { permissionDecision, permissionDecisionReason } = answer?.hookSpecificOutput ?? {};
      // The error is what the model reads in place of a result.
      if (permissionDecision === "deny") throw new Error(permissionDecisionReason);
    },
    "shell.env": quietly(async ({ sessionID }, { env }) => {
      if (sessionID) env.OPENCODE_SESSION_ID = sessionID;
    }),
    "experimental.session.compacting": quietly(async ({ sessionID }) => {
      await tell(await ask("PreCompact", inSession(sessionID)));
    }),
  };
};

/** What a person wrote: what plugins and OpenCode itself add is synthetic. */
function isHuman({ type, synthetic, ignored }) {
  return type === "text" && !synthetic && !ignored;
}
`,
});
