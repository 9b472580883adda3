import { createInterface } from "node:readline";

const PATIENCE_MS = 60_000;

/** Asks the user at the terminal; the answer is empty after a minute. */
export function askPerson({ stdin, stdout }: NodeJS.Process, question: string): Promise<string> {
  const lines = createInterface({ input: stdin, output: stdout });
  const timer = setTimeout(() => lines.close(), PATIENCE_MS);
  let isAnswered = false;
  return new Promise((resolve) => {
    lines.once("close", () => {
      clearTimeout(timer);
      // No answer has ended the line of the question.
      if (!isAnswered) stdout.write("\n");
      resolve("");
    });
    lines.question(question, (answer) => {
      isAnswered = true;
      resolve(answer);
      lines.close();
    });
  });
}
