import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { Session } from "node:inspector/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { runHook } from "../apps/hook-receiver/src/run-hook.ts";
import {
  claudeEvents,
  loadScenario,
  makeRepository,
  PROMPT_AT,
  stopAt,
  writeClaudeTranscript,
} from "../fixtures/src/index.ts";

/** A file of ours that a stop runs, and how many of its functions. */
interface WalkedFile {
  /** Relative to the root of the repository. */
  readonly path: string;
  readonly functions: number;
}

const ROOT = new URL("../", import.meta.url);
const DOCUMENT = new URL("docs/architecture.md", ROOT);
const SCENARIO = "daemon-change-not-restarted";

/** Runs a blocking stop of Claude Code in this process, and returns the files whose functions it called. */
async function walkOneStop(): Promise<readonly WalkedFile[]> {
  const folder = mkdtempSync(join(tmpdir(), "checkpoint-walk-"));
  try {
    const { prompt, stop } = await stage(folder);
    await prompt();
    const session = new Session();
    session.connect();
    await session.post("Profiler.enable");
    await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
    await stop();
    const { result } = await session.post("Profiler.takePreciseCoverage");
    session.disconnect();
    return result
      .map(({ url, functions }) => ({
        path: url.startsWith(ROOT.href) ? url.slice(ROOT.href.length) : "",
        functions: functions.filter(({ functionName, ranges }) => functionName !== "" && (ranges[0]?.count ?? 0) > 0)
          .length,
      }))
      .filter(({ path, functions }) => /^(?:apps|packages)\//.test(path) && functions > 0)
      .toSorted((one, other) => (one.path < other.path ? -1 : 1));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

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

const START = "<!-- one-stop:start -->";
const END = "<!-- one-stop:end -->";

/** The walk as a section of a document: a row for each package with its files. */
function renderWalk(files: readonly WalkedFile[]): string {
  const rows = new Map<string, string[]>();
  for (const { path } of files) {
    const [, room = "", file = ""] = /^(?:apps|packages)\/([^/]+)\/src\/(.*)\.ts$/.exec(path) ?? [];
    rows.set(room, [...(rows.get(room) ?? []), `\`${file}\``]);
  }
  const total = files.reduce((sum, { functions }) => sum + functions, 0);
  return [
    START,
    `A blocking stop of Claude Code runs ${total} functions in ${files.length} files, once the program has started:`,
    "",
    "| package | files |",
    "| --- | --- |",
    ...[...rows].map(([room, cells]) => `| ${room} (${cells.length}) | ${cells.join(", ")} |`),
    END,
  ].join("\n");
}

/** `--write` puts the section into the document; without it, the section is printed. */
const section = renderWalk(await walkOneStop());
if (process.argv.includes("--write")) {
  const text = readFileSync(DOCUMENT, "utf8");
  const [before = "", rest = ""] = text.split(START);
  writeFileSync(fileURLToPath(DOCUMENT), `${before}${section}${rest.split(END)[1] ?? ""}`);
} else process.stdout.write(`${section}\n`);
process.exit(0);
