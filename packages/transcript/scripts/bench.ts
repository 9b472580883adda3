/**
 * Measures how long a turn takes to read, and how much memory, whatever the size of the transcript.
 *
 * Every figure comes from fresh processes, as in a hook; the sizes take turns, so that a busy moment hits all of them.
 */
import { execFileSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { extractToolCallsCurrentTurnSync } from "../src/index.ts";

const MB = 1024 * 1024;
const SIZES = [0.1, 1, 10, 50, 500];
const ROUNDS = 11;
/** The median of 2785 turns is 53 KB. */
const ORDINARY_TURN = 53 * 1024;
const LONG_TURN = 4 * MB;

/** What one process measured: its first reading, the best of the later ones, and the memory that the first took. */
interface Figures {
  readonly firstMs: number;
  readonly warmMs: number;
  readonly extraMb: number;
  readonly calls: number;
}

const compareSizes = (): void => {
  const folder = mkdtempSync(join(tmpdir(), "transcript-bench-"));
  try {
    const files = SIZES.map((size) => join(folder, `${size} MB`));
    for (const [index, file] of files.entries()) writeTranscript(file, (SIZES[index] ?? 0) * MB, ORDINARY_TURN);
    const rounds = Array.from({ length: ROUNDS }, () => files.map((file) => measureInFreshProcess(file)));
    console.log("An ordinary last turn of 53 KB:");
    console.table(
      Object.fromEntries(SIZES.map((size, index) => [`${size} MB`, row(rounds.map((round) => round[index]))])),
    );
    const long = join(folder, "long");
    writeTranscript(long, LONG_TURN, LONG_TURN);
    const runs = Array.from({ length: ROUNDS }, () => measureInFreshProcess(long));
    const parsed = Array.from({ length: ROUNDS }, () => Number(inFreshProcess("--parse", long)));
    const { "best, ms": best, ...rest } = row(runs);
    const parse = Math.min(...parsed);
    console.log("A turn of 4 MB:");
    console.table([{ "best, ms": best, ...rest, "JSON.parse of its lines, ms": parse, ratio: round(best / parse) }]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

interface Row {
  readonly "best, ms": number;
  readonly "median, ms": number;
  readonly "warm, ms": number;
  readonly "extra memory, MB": number;
  readonly calls: number;
}

const row = (measured: readonly (Figures | undefined)[]): Row => {
  const of = (key: keyof Figures): readonly number[] => measured.map((figures) => figures?.[key] ?? 0);
  return {
    "best, ms": Math.min(...of("firstMs")),
    "median, ms": median(of("firstMs")),
    "warm, ms": Math.min(...of("warmMs")),
    "extra memory, MB": Math.max(...of("extraMb")),
    calls: Math.max(...of("calls")),
  };
};

const measureInFreshProcess = (file: string): Figures => JSON.parse(inFreshProcess("--measure", file));

const inFreshProcess = (mode: string, file: string): string =>
  execFileSync(process.execPath, [fileURLToPath(import.meta.url), mode, file], { encoding: "utf8" });

const measure = (file: string): Figures => {
  const before = process.resourceUsage().maxRSS;
  const firstMs = timed(() => extractToolCallsCurrentTurnSync(file, "claude"));
  const extraMb = round((process.resourceUsage().maxRSS - before) / 1024);
  const warm = Array.from({ length: 20 }, () => timed(() => extractToolCallsCurrentTurnSync(file, "claude")));
  const calls = extractToolCallsCurrentTurnSync(file, "claude").toolCalls.length;
  return { firstMs, warmMs: Math.min(...warm), extraMb, calls };
};

const parseLines = (file: string): number => {
  const bytes = readFileSync(file);
  return timed(() =>
    bytes
      .toString("utf8")
      .trimEnd()
      .split("\n")
      .map((line): unknown => JSON.parse(line)),
  );
};

const timed = (work: () => unknown): number => {
  const start = performance.now();
  work();
  return round(performance.now() - start);
};

const round = (value: number): number => Math.round(value * 100) / 100;

const median = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;

/** Writes older turns up to a size and then one turn of a given length. */
const writeTranscript = (file: string, size: number, lastTurn: number): void => {
  const fd = openSync(file, "w");
  let written = 0;
  const write = (text: string): void => {
    written += writeSync(fd, text);
  };
  const older = turn(ORDINARY_TURN, "older");
  while (written + older.length + lastTurn < size) write(older);
  write(turn(lastTurn, "last"));
  closeSync(fd);
};

const turn = (bytes: number, name: string): string => {
  const lines = [line({ type: "user", promptId: name, message: { role: "user", content: `The ${name} prompt` } })];
  let length = lines.join("").length;
  for (let call = 0; length < bytes - 4000; call += 1) {
    const id = `toolu_${name}_${call}`;
    const use = {
      type: "tool_use",
      id,
      name: "Bash",
      input: { command: `npm test -- part-${call}`, description: "Run it" },
    };
    const output = `ok ${call} "quoted" – a line of output\n`.repeat(75);
    const pair = [
      line({ type: "assistant", message: { role: "assistant", content: [use] } }),
      line({
        type: "user",
        promptId: name,
        message: {
          role: "user",
          content: [{ type: "tool_result", tool_use_id: id, content: output, is_error: false }],
        },
        toolUseResult: { stdout: output, stderr: "", interrupted: false },
      }),
    ].join("");
    lines.push(pair);
    length += pair.length;
  }
  return [
    ...lines,
    line({ type: "assistant", message: { role: "assistant", content: [{ type: "text", text: "Done." }] } }),
  ].join("");
};

const line = (value: object): string => {
  const frame = {
    isSidechain: false,
    sessionId: "5e551015",
    version: "2.1.325",
    timestamp: "2026-11-16T02:41:43.556Z",
  };
  return `${JSON.stringify({ ...frame, ...value })}\n`;
};

const [mode, path = ""] = process.argv.slice(2);
if (mode === "--measure") console.log(JSON.stringify(measure(path)));
else if (mode === "--parse") console.log(JSON.stringify(parseLines(path)));
else compareSizes();
