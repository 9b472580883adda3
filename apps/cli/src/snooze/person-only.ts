import { CliError } from "../cli-error.ts";
import { EXIT } from "../exit-codes.ts";
import { surroundingAgents } from "@agent-checkpoint/agents";
import type { Environment } from "../environment.ts";

/**
 * Refuses everyone but a person: an agent could otherwise silence the checkpoint instead of finishing its work.
 *
 * An agent's shell call is recognised by the environment. A person whose terminal has inherited those variables can force
 * it by answering a question at the terminal. Some agents give their calls a terminal too, but no one answers there.
 */
export async function personOnly(
  { env, ask }: Pick<Environment, "env" | "ask">,
  { force }: { readonly force?: boolean | undefined },
): Promise<void> {
  const [agent] = surroundingAgents(env);
  if (agent === undefined) return;
  const where = `this is a shell call of ${agent.title} (${agent.variable} is set)`;
  if (force !== true)
    throw refusal(`${where}, and only a person may snooze the checkpoint`, "Run it in your own terminal.");
  if (ask === null) throw refusal(`${where}, and --force needs a person at a terminal`, NO_TERMINAL);
  const answer = await ask(`${capital(where)}.\nAre you a person who wants this? Type ${ANSWER} to continue: `);
  if (answer.trim().toLowerCase() !== ANSWER) throw refusal("not confirmed; nothing was changed", NO_TERMINAL);
}

const ANSWER = "snooze";

const NO_TERMINAL =
  "An agent does what the checkpoint asks, or explains why it cannot; a person runs this in a terminal.";

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function refusal(message: string, advice: string): CliError {
  return new CliError(message, { exitCode: EXIT.usage, advice });
}
