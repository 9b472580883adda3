import { globSync, readFileSync, rmSync } from "node:fs";
import { basename, dirname, extname, join, relative } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { CliRun } from "./cli-run.ts";
import { installRecordingHook } from "./recorded-hooks.ts";
import { recordingReadmes } from "./recording-readmes.ts";
import { redactRecording, type RecordedFiles } from "./redact-recording.ts";
import { idSeed } from "./redaction/stable-ids.ts";
import { RUN_CLI } from "./run-cli.ts";
import { createSandbox, writeFiles } from "./sandbox.ts";
import { SCENARIOS } from "./scenarios/all.ts";
import type { Scenario } from "./scenarios/scenario.ts";

const REPOSITORY = fileURLToPath(new URL("../..", import.meta.url));
const TRANSCRIPTS = "packages/transcript/fixtures";
/** Where agents that keep a session's threads in several folders keep them: these stay, under the recording's name. */
const THREAD_FOLDERS = /^.*\/(?:\.codex|\.qwen\/projects\/[^/]+)\//;
const HOOK_EVENTS = "fixtures/hook-events";

/** Records a scenario with the real CLI and writes its transcripts and kept hook payloads into the fixture folders. */
async function record(scenario: Scenario): Promise<void> {
  const sandbox = await createSandbox(scenario.projectFiles);
  try {
    await writeFiles(sandbox.home, scenario.homeFiles ?? {});
    const hookCommand = await installRecordingHook(sandbox, scenario.hookAnswers ?? {});
    const hooks = (scenario.hookEvents ?? []).map((event) => ({ event, command: hookCommand(event) }));
    let run = await RUN_CLI[scenario.agent](sandbox, { ...scenario, script: scenario, hooks });
    describe(scenario, run);
    for (const followUp of scenario.followUps ?? []) {
      await sleep(followUp.afterMs ?? 0);
      run = await RUN_CLI[scenario.agent](sandbox, { ...scenario, ...followUp, script: followUp, hooks });
      describe({ ...scenario, ...followUp }, run);
    }
    const found = { ...transcripts(scenario, run), ...keptPayloads(scenario, run) };
    const files = redactRecording(scenario.agent, scenario.name, found);
    removeOld(scenario);
    await writeFiles(REPOSITORY, files);
  } finally {
    await sandbox.remove();
  }
}

/** The session's files under the recording's name, laid out as the CLI lays them out around the session's file. */
function transcripts({ agent, name }: Scenario, { transcriptPath, subagentPaths }: CliRun): RecordedFiles {
  if (!transcriptPath) return {};
  const folder = join(TRANSCRIPTS, agent);
  const session = basename(transcriptPath, extname(transcriptPath));
  const place = (path: string): string =>
    THREAD_FOLDERS.test(path) && subagentPaths.length
      ? join(folder, name, path.replace(THREAD_FOLDERS, ""))
      : join(folder, relative(dirname(transcriptPath), path).replace(session, name));
  return Object.fromEntries(
    [transcriptPath, ...subagentPaths].map((path) => [place(path), readFileSync(path, "utf8")]),
  );
}

/** Takes away what an earlier recording of the scenario left, so that no file of it stays unwritten. */
function removeOld({ agent, name }: Scenario): void {
  const folder = join(REPOSITORY, TRANSCRIPTS, agent);
  for (const found of globSync([`${name}{,.json,.jsonl}`, `{agent-,}${idSeed(name)}*`], { cwd: folder }))
    rmSync(join(folder, found), { recursive: true });
}

function keptPayloads(scenario: Scenario, { hookPayloads }: CliRun): RecordedFiles {
  return Object.fromEntries(
    Object.entries(scenario.keptPayloads ?? {}).map(([name, { event, nth }]) => {
      const payload = hookPayloads.filter((payload) => payload.event === event)[nth - 1];
      if (!payload) throw new Error(`${scenario.name}: there was no ${event} number ${nth}.`);
      return [join(HOOK_EVENTS, scenario.agent, `${name}.json`), payload.text];
    }),
  );
}

/** Prints a line about the run; a run that did not follow its script is not a recording. */
function describe(scenario: Scenario, run: CliRun): void {
  const turns = run.modelRequests.filter(({ kind }) => kind === "turn").length;
  const answers = [scenario.replies, ...(scenario.routes ?? []).map(({ replies }) => replies)].flat().length;
  const events = run.hookPayloads.map(({ event }) => event).join(" ");
  console.log(`${scenario.agent}/${scenario.name}: exit ${run.exitCode}, ${turns} answers, hooks ${events}`);
  if (turns !== answers || run.screenTrouble)
    throw new Error(
      [`${scenario.name}: ${answers} answers were meant.`, run.screenTrouble, run.screen, run.stderr].join("\n"),
    );
}

const wanted = process.argv.slice(2);
for (const scenario of SCENARIOS)
  if (wanted.length === 0 || wanted.some((word) => `${scenario.agent}/${scenario.name}`.startsWith(word)))
    await record(scenario).catch((error: unknown) => {
      console.error(error);
      process.exitCode = 1;
    });
await writeFiles(REPOSITORY, recordingReadmes(SCENARIOS, { transcripts: TRANSCRIPTS, hookEvents: HOOK_EVENTS }));
