import type { Surroundings } from "../surroundings.ts";
import { toJson } from "../terminal/to-json.ts";
import { withStore } from "../with-store.ts";
import { personOnly } from "./person-only.ts";
import type { SnoozeOptions } from "./snooze-options.ts";
import { describeScope, snoozeScope } from "./snooze-scope.ts";

/** Has stops judged again. */
export async function endSnooze(options: SnoozeOptions, surroundings: Surroundings): Promise<void> {
  const { out, home, now } = surroundings;
  await personOnly(surroundings, options);
  const { scope, ended } = await withStore(home, async (store) => {
    const meant = await snoozeScope(store, surroundings, options);
    return { scope: meant, ended: await store.snoozes.set(meant, null, now()) };
  });
  if (options.json === true) return out(toJson({ scope, ended }));
  const where = describeScope(scope);
  return out(ended === 0 ? `Stops ${where} were not snoozed.\n` : `Stops ${where} are judged again.\n`);
}
