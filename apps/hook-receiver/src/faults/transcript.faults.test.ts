import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { messagePath, SCENARIO_AGENTS } from "@agent-checkpoint/fixtures";
import { execa, execaSync } from "execa";
import { describe, test, vi } from "vitest";
import { canRunUnder, WITHOUT_OVERRIDE } from "../testing/confinement.ts";
import { reasonOf } from "../testing/hook-process.ts";
import { logLines } from "../testing/log-lines.ts";
import { measurePeakMemory } from "../testing/peak-memory.ts";
import { ROW_BEFORE, ROW_NOW, SILENCE, stageFault, type StagedFault, storedStops } from "../testing/stage-fault.ts";

// Faults that are waited for, on a machine that may be busy.
vi.setConfig({ testTimeout: 60_000 });

const ANSWERED_WITHIN_MS = 15_000;
const MAX_MEGABYTES = 250;
const FIVE_GIGABYTES = 5 * 1024 ** 3;

const GOLDEN = readFileSync(messagePath("daemon-change-not-restarted"), "utf8").trimEnd();

/** The message of the files alone: what is asked for, and nothing of what was or was not observed. */
const OF_FILES_ALONE = /^agent-checkpoint: 3 actions are still required(?!.*Observations)/s;

interface TranscriptFault {
  readonly fault: string;
  /** Puts something in the transcript's place, and gives the path to it where that is another. */
  readonly make: (path: string) => string | void;
  readonly log: string;
  readonly under?: readonly string[];
}

describe("a transcript that cannot be read: the message of the files alone, with one line in the log", () => {
  const faults: readonly TranscriptFault[] = [
    { fault: "missing", make: () => {}, log: "transcript missing" },
    { fault: "a folder", make: (path) => mkdirSync(path), log: "transcript unreadable" },
    {
      fault: "a pipe nobody writes to",
      make: (path) => void execaSync("mkfifo", [path]),
      log: "transcript unreadable",
    },
    { fault: "a link to nowhere", make: (path) => symlinkSync("/nowhere/at/all", path), log: "transcript missing" },
    { fault: "a link to itself", make: (path) => symlinkSync(path, path), log: "transcript unreadable" },
    { fault: "a device without end", make: () => "/dev/zero", log: "transcript unreadable" },
    { fault: "a name too long", make: () => `/${"x".repeat(5000)}`, log: "transcript unreadable" },
    { fault: "a name with a zero byte", make: () => "/a\0b", log: "transcript unreadable" },
    { fault: "empty", make: (path) => writeFileSync(path, ""), log: "transcript empty" },
    {
      fault: "of somebody else",
      make: (path) => {
        writeFileSync(path, "{}\n");
        chmodSync(path, 0o000);
      },
      under: WITHOUT_OVERRIDE,
      log: "transcript unreadable",
    },
  ];
  test.concurrent.for(faults)("$fault", async ({ make, log, under = [] }, { expect: expectHere, skip }) => {
    skip(under.length > 0 && !canRunUnder(under), "the rights of root cannot be dropped here");
    const staged = await stageFault();
    await staged.prompt();
    rmSync(staged.transcript);
    const path = make(staged.transcript) ?? staged.transcript;
    const memory = measurePeakMemory();
    const start = performance.now();
    const answer = await staged.stop({ event: { transcript_path: path }, env: memory.env, under });
    expectHere(performance.now() - start).toBeLessThan(ANSWERED_WITHIN_MS);
    expectHere(memory.megabytes()).toBeLessThan(MAX_MEGABYTES);
    expectHere({ ...answer, stdout: "" }).toEqual({ stdout: "", stderr: "", exitCode: 0 });
    expectHere(reasonOf(answer)).toMatch(OF_FILES_ALONE);
    expectHere(logLines(staged.home)).toEqual([expectHere.stringContaining(log)]);
    expectHere(storedStops(staged.database)).toEqual([ROW_BEFORE, ROW_NOW]);
  });
});

describe("a file that is no transcript of the agent: passes, with one line in the log", () => {
  const faults: readonly Pick<TranscriptFault, "fault" | "make">[] = [
    { fault: "noise", make: (path) => writeFileSync(path, Buffer.alloc(1_000_000, 0xfe)) },
    {
      fault: "5 GB of nothing",
      make: (path) => {
        writeFileSync(path, "");
        truncateSync(path, FIVE_GIGABYTES);
      },
    },
  ];
  test.concurrent.for(faults)("$fault", async ({ make }, { expect: expectHere }) => {
    const staged = await stageFault();
    await staged.prompt();
    make(staged.transcript);
    const memory = measurePeakMemory();
    const start = performance.now();
    expectHere(await staged.stop({ env: memory.env })).toEqual(SILENCE);
    expectHere(performance.now() - start).toBeLessThan(ANSWERED_WITHIN_MS);
    expectHere(memory.megabytes()).toBeLessThan(MAX_MEGABYTES);
    expectHere(logLines(staged.home)).toEqual([expectHere.stringContaining("transcript not-a-transcript")]);
    expectHere(storedStops(staged.database)).toEqual([ROW_BEFORE, "now: pass unknown-transcript"]);
  });
});

describe("a transcript of 5 GB", () => {
  /** Moves the end of a transcript behind a hole that no disk has to hold. */
  const withHole = ({ transcript }: StagedFault, before: string, after: string) => {
    writeFileSync(transcript, before);
    truncateSync(transcript, FIVE_GIGABYTES);
    appendFileSync(transcript, `\n${after}`);
  };

  test.concurrent.for(SCENARIO_AGENTS)(
    "%s: whose turn is at its end gives the whole message, in bounded memory",
    async (agent, { expect: expectHere }) => {
      const staged = await stageFault(agent);
      await staged.prompt();
      const turn = readFileSync(staged.transcript, "utf8");
      // The reply before the prompt tells some agents' prompts from what is typed while a tool runs.
      withHole(staged, turn, `${turn.trimEnd().split("\n").at(-1)}\n${turn}`);
      const memory = measurePeakMemory();
      const start = performance.now();
      const answer = await staged.stop({ env: memory.env });
      expectHere(performance.now() - start).toBeLessThan(ANSWERED_WITHIN_MS);
      expectHere(memory.megabytes()).toBeLessThan(MAX_MEGABYTES);
      expectHere(reasonOf(answer)).toBe(GOLDEN);
      expectHere(logLines(staged.home)).toEqual([]);
      expectHere(storedStops(staged.database)).toEqual([ROW_BEFORE, ROW_NOW]);
    },
  );

  test.concurrent("whose turn has the hole in its middle: actions stay, absence is not spoken of", async ({
    expect: expectHere,
  }) => {
    const staged = await stageFault();
    await staged.prompt();
    const [first = "", ...rest] = readFileSync(staged.transcript, "utf8").split("\n");
    withHole(staged, `${first}\n`, rest.join("\n"));
    const memory = measurePeakMemory();
    const start = performance.now();
    const answer = await staged.stop({ env: memory.env });
    expectHere(performance.now() - start).toBeLessThan(ANSWERED_WITHIN_MS);
    expectHere(memory.megabytes()).toBeLessThan(MAX_MEGABYTES);
    expectHere(reasonOf(answer)).toMatch(/^agent-checkpoint: 3 actions are still required(?!.*was not observed)/s);
    expectHere(storedStops(staged.database)).toEqual([ROW_BEFORE, ROW_NOW]);
  });
});

describe("a transcript that changes while it is read", () => {
  /** Runs a script beside the stops until they have ended; `process.argv[1]` is the transcript. */
  const beside = async (script: string, transcript: string, work: () => Promise<void>) => {
    const writer = execa(process.execPath, ["-e", script, transcript], { reject: false });
    await new Promise((resolve) => writer.stdout.once("data", resolve));
    await work().finally(() => writer.kill("SIGKILL"));
    await writer;
  };

  test.concurrent("growing without end: the turn up to where it was read", async ({ expect: expectHere }) => {
    const staged = await stageFault();
    await staged.prompt();
    const grow = `
      const fs = require("fs");
      const line = JSON.stringify({ type: "progress", text: "x".repeat(2000) }) + "\\n";
      const until = Date.now() + 20000;
      const pause = new Int32Array(new SharedArrayBuffer(4));
      for (let n = 0; Date.now() < until; n += 1) {
        fs.appendFileSync(process.argv[1], line);
        if (n === 100) fs.writeSync(1, "growing");
        Atomics.wait(pause, 0, 0, 1);
      }`;
    const memory = measurePeakMemory();
    await beside(grow, staged.transcript, async () => {
      expectHere(reasonOf(await staged.stop({ env: memory.env }))).toBe(GOLDEN);
    });
    expectHere(memory.megabytes()).toBeLessThan(MAX_MEGABYTES);
    expectHere(logLines(staged.home)).toEqual([]);
    expectHere(storedStops(staged.database)).toEqual([ROW_BEFORE, ROW_NOW]);
  });

  test.concurrent("cut off and written again, over and over: the actions, or a pass while its first line is half there", async ({
    expect: expectHere,
  }) => {
    const staged = await stageFault();
    const flip = `
      const fs = require("fs");
      const whole = fs.readFileSync(process.argv[1]);
      const until = Date.now() + 20000;
      fs.writeSync(1, "flipping");
      for (let n = 0; Date.now() < until; n += 1) {
        fs.truncateSync(process.argv[1], Math.floor((whole.length * (n % 10)) / 10));
        fs.writeFileSync(process.argv[1], whole);
      }`;
    const sessions = Array.from({ length: 12 }, (_, index) => `flip-${index}`);
    await beside(flip, staged.transcript, async () => {
      for (const session of sessions) {
        const event = { session_id: session, prompt_id: `turn-of-${session}` };
        await staged.prompt({ event });
        const answer = await staged.stop({ event });
        expectHere({ ...answer, stdout: "" }).toEqual({ stdout: "", stderr: "", exitCode: 0 });
        if (answer.stdout === "")
          expectHere(storedStops(staged.database)).toContain(`${session}: pass unknown-transcript`);
        else expectHere(reasonOf(answer)).toMatch(/^agent-checkpoint: 3 actions are still required/);
      }
    });
    // How many see it whole is the processor's affair.
    expectHere(storedStops(staged.database).filter((stop) => stop.endsWith("block missing-actions"))).not.toEqual([]);
    expectHere(logLines(staged.home).filter((line) => !/degraded detail="transcript /.test(line))).toEqual([]);
    expectHere(storedStops(staged.database)).toHaveLength(1 + sessions.length);
  });

  test.concurrent("taken away while git is waited for: the turn that was read", async ({ expect: expectHere }) => {
    const staged = await stageFault();
    await staged.prompt();
    const bin = join(staged.project, "..", "bin");
    mkdirSync(bin);
    const git = execaSync("sh", ["-c", "command -v git"]).stdout;
    writeFileSync(join(bin, "git"), `#!/bin/sh\nrm -f "${staged.transcript}"; sleep 0.5; exec ${git} "$@"\n`, {
      mode: 0o755,
    });
    const answer = await staged.stop({ env: { PATH: `${bin}:/usr/bin:/bin` } });
    expectHere(reasonOf(answer)).toMatch(/^agent-checkpoint: 3 actions are still required/);
    expectHere(storedStops(staged.database)).toEqual([ROW_BEFORE, ROW_NOW]);
  });
});
