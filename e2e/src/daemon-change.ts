import { readFileSync } from "node:fs";
import type { AgentVoice } from "./agent-voices.ts";
import type { ModelReply } from "./fake-models/model-script.ts";

/** A project whose daemon has to be restarted after a change; the checkpoint is due from the first second on. */
export const DAEMON: Readonly<Record<string, string>> = {
  "checkpoint.config.json": '{ "timerSeconds": 0 }\n',
  "teleclaude/core/retry.py": "DELAY = 1\n",
  Makefile: "restart:\n\t@echo restarted\nstatus:\n\t@echo 'daemon: running'\n",
};

export const PROMPT = "Make the retry loop back off";

/** Changes the daemon's code and only says that it works. */
export function daemonChange(voice: AgentVoice): readonly ModelReply[] {
  return [
    { calls: [voice.read("teleclaude/core/retry.py")] },
    { calls: [voice.edit("teleclaude/core/retry.py", "DELAY = 1", "DELAY = 2")] },
    { say: "Done, it works." },
  ];
}

/** Does what the checkpoint asked for. */
export function daemonRestart(voice: AgentVoice): readonly ModelReply[] {
  return [{ calls: [voice.shell("make restart && make status")] }, { say: "The daemon runs with the new delay." }];
}

const GOLDEN = new URL("../../fixtures/scenarios/daemon-change-not-restarted/message.md", import.meta.url);

/** The checkpoint for it, for every agent and route: the scenario's message, minutes sooner. */
export const DAEMON_MESSAGE: string = readFileSync(GOLDEN, "utf8").trimEnd().replace("--since 4m", "--since 2m");
