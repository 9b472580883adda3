import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Agent, type ProgramPaths, userCommand, withoutAgentVariables } from "@agent-checkpoint/agents";
import { CANARY_MARK } from "@agent-checkpoint/agents/wire";
import { ensureHome, writeWhole } from "@agent-checkpoint/files";
import type { Environment } from "../environment.ts";
import { callCommand } from "./canary/call-command.ts";
import { judgeBlock } from "./canary/judge-answer.ts";
import { type CanaryStage, stageCanary } from "./canary/stage-canary.ts";

const MAX_WAIT_MS = 5000;

/** Where the hook keeps the code that V8 has compiled, in a home. */
const CACHE = "compile-cache";

/**
 * Lets the Node program compile what a blocked stop needs, so that the first real stop is as fast as later ones.
 *
 * The made-up stop is blocked in a home of its own, of which only the compiled code is kept: no stop is recorded. Whatever
 * goes wrong, the hook compiles its code itself.
 */
export async function primeHook(
  program: ProgramPaths,
  { name, canary }: Agent,
  { env, userHome, home, now }: Pick<Environment, "env" | "userHome" | "home" | "now">,
): Promise<void> {
  let stage: CanaryStage | null = null;
  try {
    stage = await stageCanary({ env, nodeModules: null });
    const scratch = mkdtempSync(join(env["TMPDIR"] || tmpdir(), "agent-checkpoint-home-"));
    try {
      const turn = stage.newTurn({ canary }, now());
      const call = {
        shell: canary.shell,
        command: userCommand(program, `--agent ${name}`),
        cwd: stage.project,
        env: { ...withoutAgentVariables(env), HOME: userHome, ...canary.environment(turn), CHECKPOINT_HOME: scratch },
        timeoutMs: MAX_WAIT_MS,
      };
      const send = (event: object) => callCommand({ ...call, input: JSON.stringify({ ...event, ...CANARY_MARK }) });
      await send(canary.promptEvent(turn));
      // What a stop that passed has compiled would be compiled again.
      if (judgeBlock(await send(canary.stopEvent(turn, false)), canary) === null) keepCode(join(scratch, CACHE), home);
    } finally {
      rmSync(scratch, { recursive: true, force: true });
    }
  } catch {
    // No git, a full disk, a home that cannot be written to.
  } finally {
    stage?.remove();
  }
}

function keepCode(from: string, home: string): void {
  const names = readdirSync(from);
  ensureHome(home);
  mkdirSync(join(home, CACHE), { recursive: true, mode: 0o700 });
  for (const name of names) writeWhole(join(home, CACHE, name), readFileSync(join(from, name)), { isFlushed: false });
}
