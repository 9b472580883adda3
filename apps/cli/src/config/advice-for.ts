import type { ConfigProblem } from "@agent-checkpoint/categories";

/** What to do about a problem, by what was expected; the first that fits. */
const ADVICE: readonly { readonly expected: RegExp; readonly advice: string }[] = [
  { expected: /^JSON/, advice: "Mend the file there: a comma, a bracket or a quote is missing, or one too many." },
  { expected: /^a readable file/, advice: "Make it a file that you may read, or take it away." },
  { expected: /^only known keys/, advice: "Take the key out, or correct its spelling; docs/config.md lists them." },
  { expected: /^the id of an action/, advice: "Name one of these, or add an action of that id to `actions`." },
  { expected: /^an action with the id/, advice: "Add an action of that id to `actions`, or take `tests` out." },
  {
    expected: /^the command as stops see it/,
    advice:
      "Name the program that runs in the end and its words, without `npx`, `uv run`, `cd … &&` or a path, in `evidence`; the whole command may stand in `run`.",
  },
];

/** What a person can do about a problem of a config file. */
export function adviceFor({ expected }: ConfigProblem): string {
  return ADVICE.find((row) => row.expected.test(expected))?.advice ?? "Give it the expected value; see docs/config.md.";
}
