import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openStore, type Session, type Stop } from "@agent-checkpoint/store";
import { CHECKPOINT, checkpoint, CHECKPOINT_HOME } from "./checkpoint-program.ts";
import { CODEX_ENV, codexSettings, type CodexSettings } from "./codex-settings.ts";
import { heardTexts } from "./heard-texts.ts";
import type { ModelScript } from "./fake-models/model-script.ts";
import { installCli } from "./install-cli.ts";
import type { CommandResult } from "./live-stage.ts";
import { openScreen, TMUX_SOCKET, type Screen } from "./open-screen.ts";
import { openStage } from "./open-stage.ts";
import { readCodexThreads, type CodexThread } from "./read-codex-threads.ts";
import { readStops } from "./read-stops.ts";
import { createSandbox, INSIDE, writeFiles } from "./sandbox.ts";
import { until } from "./until.ts";

/** A stage for the interactive Codex and our programs beside it. */
export interface CodexStage {
  /** Opens a screen and starts Codex there. */
  readonly startCodex: (...args: readonly string[]) => Promise<Screen>;
  /** The same under a shell, which has the screen when Codex is gone. */
  readonly startCodexInShell: (...args: readonly string[]) => Promise<Screen>;
  /** Runs `checkpoint` to its end. */
  readonly checkpoint: (...args: readonly string[]) => Promise<CommandResult>;
  /** Runs `checkpoint-codex` to its end. */
  readonly checkpointCodex: (...args: readonly string[]) => Promise<CommandResult>;
  /** Starts `checkpoint-codex watch` and waits until it watches. */
  readonly startWatch: (...args: readonly string[]) => Promise<void>;
  /** Runs any other command. */
  readonly run: (command: readonly string[]) => Promise<CommandResult>;
  /** The user's threads, the oldest in front. */
  readonly threads: () => readonly CodexThread[];
  /** The stops in the store. */
  readonly stops: () => Promise<readonly Stop[]>;
  /** What the store knows of a thread. */
  readonly session: (thread: string) => Promise<Session | null>;
  /** The user messages of each request to the model. */
  readonly heard: () => Promise<readonly (readonly string[])[]>;
  /** Ends everything and leaves nothing. */
  readonly close: () => Promise<void>;
}

/** What a stage for Codex is opened with. */
export interface CodexStageOptions extends Omit<CodexSettings, "hooks"> {
  /** Whether `checkpoint init` has registered our hooks; they are not trusted by that. */
  readonly isSetUp?: boolean;
  /** The files of the project's one commit. */
  readonly files: Readonly<Record<string, string>>;
  readonly script: ModelScript;
  readonly timeLimitMs?: number;
}

/** How `checkpoint-codex` is called on the stage. */
export const CHECKPOINT_CODEX: readonly string[] = [
  process.execPath,
  fileURLToPath(new URL("../../apps/codex-injector/dist/checkpoint-codex.mjs", import.meta.url)),
];

/** Opens a stage with a Codex home and a repository. */
export async function openCodexStage(options: CodexStageOptions): Promise<CodexStage> {
  const { files, script, timeLimitMs = 150_000, isSetUp = false, ...settings } = options;
  const [codex] = (await installCli("codex")).command;
  const sandbox = await createSandbox(files);
  await writeFiles(sandbox.home, codexSettings(settings));
  if (isSetUp) await checkpoint(sandbox, "init", "--agent", "codex", "--no-config", "--yes");
  const env = { ...CODEX_ENV, CODEX: codex, CHECKPOINT_HOME: `${INSIDE.home}/${CHECKPOINT_HOME}` };
  const stage = await openStage(sandbox, { agent: "codex", script, env, timeLimitMs });
  const home = join(sandbox.home, CHECKPOINT_HOME);
  const withOptions = (args: readonly string[]) => [
    ...CHECKPOINT_CODEX,
    ...args,
    "--codex",
    codex,
    "--tmux-socket",
    TMUX_SOCKET,
  ];
  return {
    startCodex: (...args) => openScreen(stage, [codex, ...args]),
    startCodexInShell: (...args) => openScreen(stage, ["sh", "-c", '"$@"; exec sh', "sh", codex, ...args]),
    checkpoint: (...args) => stage.run([...CHECKPOINT, ...args]),
    checkpointCodex: (...args) => stage.run(withOptions(args)),
    startWatch: async (...args) => {
      const log = `${INSIDE.home}/watch.log`;
      await stage.run(["sh", "-c", `"$@" > ${log} 2>&1 &`, "sh", ...withOptions(["watch", ...args])]);
      await until(
        async () => (await stage.run(["cat", log])).stdout.includes("watching"),
        async () => `checkpoint-codex watches\n${(await stage.run(["cat", log])).stdout}`,
      );
    },
    run: stage.run,
    threads: () => readCodexThreads(sandbox),
    stops: () => readStops(home),
    session: async (thread) => {
      const opened = await openStore(home);
      if (!opened.ok) throw new Error(opened.detail);
      const [session = null] = await opened.store.sessions.list({ agent: "codex", sessionId: thread });
      await opened.store.close();
      return session;
    },
    heard: async () => heardTexts("codex", await stage.modelRequests()),
    close: async () => {
      await stage.close();
      await sandbox.remove();
    },
  };
}
