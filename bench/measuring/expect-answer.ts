import type { Answer } from "../candidate.ts";
import type { Ran } from "./command.ts";

/** Fails if a program did not do what is measured. */
export function expectAnswer(id: string, answer: Answer, ran: Ran): void {
  if (ran.exitCode === 0 && isAnswer(answer, ran.stdout)) return;
  const wanted = typeof answer === "string" ? answer : JSON.stringify(answer.holding);
  const found = { exitCode: ran.exitCode, stdout: ran.stdout.slice(0, 300), stderr: ran.stderr.slice(0, 300) };
  throw new Error(`${id} should have answered ${wanted}; found ${JSON.stringify(found)}`);
}

function isAnswer(answer: Answer, stdout: string): boolean {
  if (answer === "nothing") return stdout === "";
  if (answer === "block") return stdout.startsWith('{"decision":"block","reason":"');
  return stdout.includes(answer.holding);
}
