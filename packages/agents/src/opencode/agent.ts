import { join } from "node:path";
import type { Agent, PersonalPlace } from "../agent.ts";
import { canary } from "./canary.ts";
import { plugin } from "./plugin.ts";

const SINCE = "1.1.65";

/** OpenCode. */
export const opencode: Agent = {
  name: "opencode",
  title: "OpenCode",
  program: "opencode",
  packageName: "opencode-ai",
  environment: {
    // Our plugin sets the second one for commands; OpenCode itself does not name the session.
    signs: ["OPENCODE", "OPENCODE_SESSION_ID"],
    session: "OPENCODE_SESSION_ID",
    all: /^OPENCODE(?:_(?:SESSION_ID|PID|CLIENT|PROCESS_ROLE|RUN_ID))?$/,
  },
  homeFolder,
  projectFolder: ".opencode",
  transcriptFolders: (home) => [join(dataFolder(home), "agent-checkpoint")],
  settingsFile: (scope, place) =>
    join(scope === "user" ? homeFolder(place) : join(place.projectRoot, ".opencode"), "plugins", "agent-checkpoint.js"),
  hooksForm: plugin,
  settingsSyntax: { comments: true, trailingCommas: true, byteOrderMark: true },
  otherSettingsFiles: () => [],
  events: [
    { name: "UserPromptSubmit", kind: "prompt", since: SINCE },
    { name: "Stop", kind: "stop", since: SINCE },
  ],
  gateEvent: { name: "PreToolUse", since: SINCE, matcher: null },
  compactionEvent: { name: "PreCompact", since: SINCE },
  timeout: { value: 30, unit: "seconds" },
  hookName: null,
  // Our plugin runs a hook in the folder of the server, which need not be the project's.
  projectFolderWord: ".",
  versionProblem: () => null,
  blockers: () => [],
  trust: () => [],
  nextSteps: () => ["Start open sessions of OpenCode again: it loads plugins when it starts."],
  otherRoute: null,
  managed: null,
  canary,
};

function homeFolder({ env, userHome }: PersonalPlace): string {
  return env["OPENCODE_CONFIG_DIR"] || join(env["XDG_CONFIG_HOME"] || join(userHome, ".config"), "opencode");
}

function dataFolder({ env, userHome }: PersonalPlace): string {
  return join(env["XDG_DATA_HOME"] || join(userHome, ".local", "share"), "opencode");
}
