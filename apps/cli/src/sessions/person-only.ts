import { agentAbove } from "@agent-checkpoint/agents";
import { refused } from "../cli-error.ts";
import type { Environment } from "../environment.ts";

/** What an agent is refused, as words within a sentence and as the answer that confirms it. */
export interface PersonalDeed {
  readonly deed: string;
  readonly answer: string;
}

/**
 * Refuses everyone but a person: an agent could otherwise silence the checkpoint instead of finishing its work.
 *
 * An agent's shell call is recognised by the environment, its own or that of a process that it came from. A person
 * whose terminal has inherited those variables can force it by answering a question at the terminal. Some agents give
 * their calls a terminal too, but no one answers there.
 */
export async function personOnly(
  { env, pid = 0, ask }: Pick<Environment, "env" | "pid" | "ask">,
  { force }: { readonly force?: boolean | undefined },
  { deed, answer: expected }: PersonalDeed,
): Promise<void> {
  const agent = agentAbove({ env, pid });
  if (agent === null) return;
  const where = `this is a shell call of ${agent.title} (${agent.sign})`;
  if (force !== true) throw refused(`${where}, and only a person may ${deed}`, "Run it in your own terminal.");
  if (ask === null) throw refused(`${where}, and --force needs a person at a terminal`, NO_TERMINAL);
  const answer = await ask(`${capital(where)}.\nAre you a person who wants this? Type ${expected} to continue: `);
  if (answer.trim().toLowerCase() !== expected) throw refused("not confirmed; nothing was changed", NO_TERMINAL);
}

const NO_TERMINAL =
  "An agent does what the checkpoint asks, or explains why it cannot; a person runs this in a terminal.";

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
