import type { Snooze } from "@agent-checkpoint/store";
import { CliError } from "../cli-error.ts";
import { EXIT } from "../exit-codes.ts";
import type { Surroundings } from "../surroundings.ts";
import { toJson } from "../terminal/to-json.ts";
import { visible } from "../terminal/visible.ts";
import { withStore } from "../with-store.ts";
import { parseUntil } from "./parse-until.ts";
import { personOnly } from "./person-only.ts";
import { sayUntil } from "./say-until.ts";
import type { SnoozeOptions } from "./snooze-options.ts";
import { describeScope, snoozeScope } from "./snooze-scope.ts";
import { userName } from "./user-name.ts";

/** Lets stops go from now on, and says until when. */
export async function startSnooze(
  words: readonly string[],
  options: SnoozeOptions,
  surroundings: Surroundings,
): Promise<void> {
  const { out, home, cwd } = surroundings;
  const from = surroundings.now();
  const parsed = parseUntil(words, from);
  if (!parsed.ok)
    throw new CliError(`"${visible(words.join(" "))}" ${parsed.problem}`, {
      exitCode: EXIT.usage,
      advice: "checkpoint snooze --help has examples.",
    });
  await personOnly(surroundings, options);
  const { until } = parsed;
  const snooze = await withStore(home, async (store): Promise<Snooze> => {
    const scope = await snoozeScope(store, surroundings, options);
    const made = { scope, from, until, reason: options.reason ?? null, madeBy: userName(), madeIn: cwd };
    await store.snoozes.set(scope, made, from);
    return made;
  });
  out(options.json === true ? toJson(snooze) : describe(snooze));
}

function describe({ scope, from, until }: Snooze): string {
  const session = scope.kind === "session" ? ` --session ${visible(scope.sessionId)}` : "";
  return [
    `Snoozed until ${sayUntil(until, from)}: stops ${describeScope(scope)} pass without a checkpoint.\n`,
    `End it sooner: checkpoint snooze --off${session}\n`,
  ].join("");
}
