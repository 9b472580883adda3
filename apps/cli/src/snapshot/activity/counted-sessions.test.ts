import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import type { Session } from "@agent-checkpoint/store";
import type { AgentName } from "@agent-checkpoint/transcript";
import { expect, test } from "vitest";
import { scratchFolder } from "../../testing/scratch-folder.ts";
import { surroundingAgents } from "@agent-checkpoint/agents";
import { countedSessions } from "./counted-sessions.ts";

const session = (sessionId: string, projectPath: string | null, agent: AgentName = "claude"): Session => ({
  agent,
  sessionId,
  projectPath,
  transcriptPath: null,
  workingSlug: null,
  firstSeenAt: new Date(0),
  lastMessageSentAt: null,
  lastCheckpointAt: null,
  currentTurn: null,
  lastBlockedTurn: null,
  lastStopAt: null,
  touchedFiles: [],
  readUpTo: null,
  baseline: null,
  route: null,
});

const KNOWN = [
  session("here", "/projects/app"),
  session("around", "/projects"),
  session("inside", "/projects/app/api"),
  session("beside", "/projects/app-2"),
  session("nowhere", null),
  session("g", "/projects/app", "gemini"),
];

const cases = [
  {
    what: "of the folder, of those around and inside",
    maker: null,
    env: {},
    counted: ["here", "around", "inside", "g"],
  },
  {
    what: "the checkpoint's, wherever it is",
    maker: "beside",
    env: {},
    counted: ["beside!", "here", "around", "inside", "g"],
  },
  {
    what: "the checkpoint's, of which nothing was heard",
    maker: "x",
    env: {},
    counted: ["x!", "here", "around", "inside", "g"],
  },
  {
    what: "the caller's",
    maker: "here",
    env: { CLAUDECODE: "1", CLAUDE_CODE_SESSION_ID: "here" },
    counted: ["here!", "around", "inside", "g"],
  },
  {
    what: "a caller's that tells no session",
    maker: null,
    env: { GEMINI_CLI: "1" },
    counted: ["g!", "here", "around", "inside"],
  },
  { what: "a caller's of which nothing is known", maker: null, env: { CODEX_CI: "1" }, counted: null },
];
test.for(cases)("$what", ({ maker, env, counted }) => {
  const found = countedSessions(KNOWN, { root: "/projects/app", maker, callers: surroundingAgents(env) });
  expect(found && found.map(({ sessionId, isNeeded }) => (isNeeded ? `${sessionId}!` : sessionId))).toEqual(counted);
});

test("a session that was started by way of a link", () => {
  const folder = scratchFolder();
  mkdirSync(join(folder, "app"));
  symlinkSync(join(folder, "app"), join(folder, "link"));
  const sessions = [session("linked", join(folder, "link"))];
  expect(countedSessions(sessions, { root: join(folder, "app"), maker: null, callers: [] })).toHaveLength(1);
});
