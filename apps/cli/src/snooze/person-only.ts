import { CliError } from "../cli-error.ts";
import { EXIT } from "../exit-codes.ts";
import { surroundingAgents } from "@agent-checkpoint/agents";
import type { Surroundings } from "../surroundings.ts";

/**
 * Lets only a person go on: an agent that is asked to finish its work could otherwise have the asking stopped.
 *
 * An agent's shell call shows in the environment. A person whose terminal has inherited those variables can force it, at
 * a terminal and by answering a question: some agents give their calls a terminal too, but nobody answers there.
 */
export async function personOnly(
  { env, ask }: Pick<Surroundings, "env" | "ask">,
  { force }: { readonly force?: boolean | undefined },
): Promise<void> {
  const [agent] = surroundingAgents(env);
  if (agent === undefined) return;
  const where = `this is a shell call of ${agent.title} (${agent.variable} is set)`;
  if (force !== true)
    throw refusal(`${where}, and only a person may snooze the checkpoint`, "Run it in a terminal of your own.");
  if (ask === null) throw refusal(`${where}, and --force needs a person at a terminal`, NO_TERMINAL);
  const answer = await ask(`${capital(where)}.\nAre you a person who wants this? Type ${ANSWER} to go on: `);
  if (answer.trim().toLowerCase() !== ANSWER) throw refusal("not confirmed; nothing was changed", NO_TERMINAL);
}

const ANSWER = "snooze";

const NO_TERMINAL = "An agent does what the checkpoint asks, or says why it cannot; a person runs this in a terminal.";

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function refusal(message: string, advice: string): CliError {
  return new CliError(message, { exitCode: EXIT.usage, advice });
}
