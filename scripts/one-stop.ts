import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runHook } from "../apps/hook-receiver/src/run-hook.ts";
import {
  claudeEvents,
  loadScenario,
  makeRepository,
  PROMPT_AT,
  stopAt,
  writeClaudeTranscript,
} from "../fixtures/src/index.ts";
import { tellWalk, walk } from "./walk.ts";

const SCENARIO = "daemon-change-not-restarted";

async function stage(folder: string) {
  const scenario = loadScenario(SCENARIO);
  const [projectPath, transcript] = [join(folder, "project"), join(folder, "session.jsonl")];
  await makeRepository(projectPath, scenario);
  const facts = {
    sessionId: "walk",
    promptId: "turn",
    prompt: scenario.prompt,
    projectPath,
    promptAt: PROMPT_AT,
    lastMessage: "Done, it works.",
  };
  writeFileSync(transcript, writeClaudeTranscript(scenario.turn ?? [], facts));
  const events = claudeEvents(facts, transcript);
  const call = (event: object, at: Date) =>
    runHook({
      argv: ["--agent", "claude"],
      env: {
        HOME: folder,
        CHECKPOINT_HOME: join(folder, "home"),
        CHECKPOINT_NOW: at.toISOString(),
        [events.projectVariable]: projectPath,
      },
      stdin: JSON.stringify(event),
      answer: () => undefined,
    });
  return { prompt: () => call(events.prompt, PROMPT_AT), stop: () => call(events.stop, stopAt(scenario)) };
}

/** Runs a blocking stop of Claude Code in this process. */
// Random letters may look like the beginning of a secret, and then the walk is longer.
const folder = join(tmpdir(), `checkpoint-walk-${process.pid}`);
try {
  mkdirSync(folder);
  const { prompt, stop } = await stage(folder);
  await prompt();
  const subject = "A blocking stop of Claude Code";
  tellWalk(await walk(stop), { name: "one-stop", document: "docs/architecture.md", subject });
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exit(0);
