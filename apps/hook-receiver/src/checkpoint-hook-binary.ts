import { readStdin, STDIN_WAIT } from "./read-stdin.ts";
import { runProgram } from "./run-program.ts";
import { SAVE_WORD } from "./run-save-worker.ts";

// The program as one executable with its runtime inside: it has no Node to look at and no code to cache.

if (process.argv[2] === SAVE_WORD) void import("./checkpoint-save.ts");
else void runProgram(readStdin(STDIN_WAIT), () => undefined);
