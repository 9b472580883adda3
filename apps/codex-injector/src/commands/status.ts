import { escapeInvisibleInJson } from "@agent-checkpoint/files";
import { inlineCode } from "@agent-checkpoint/heuristics";
import { openStore, type Stop } from "@agent-checkpoint/store";
import { placeOwner } from "../instance/single-instance.ts";
import type { Settings } from "../settings.ts";

const MAX_STOPS = 10;

/** Shows who is watching and what was delivered last. */
export async function runStatus({ home }: Settings, { json }: { readonly json: boolean }): Promise<number> {
  const owner = placeOwner(home);
  const opened = await openStore(home);
  if (!opened.ok) {
    console.error(`The store cannot be opened (${opened.reason}): ${opened.detail}`);
    return 1;
  }
  const stops = await opened.store.stops.list({ agent: "codex", isCanary: false, limit: MAX_STOPS });
  await opened.store.close();
  console.log(json ? escapeInvisibleInJson(JSON.stringify({ watching: owner, stops })) : render(owner, stops));
  return 0;
}

function render(owner: ReturnType<typeof placeOwner>, stops: readonly Stop[]): string {
  const watching =
    owner === null
      ? "Not watching. Start it with: checkpoint-codex watch"
      : `Watching: process ${owner.pid}, since ${owner.since.toISOString()}`;
  const rows = stops.map(({ at, decision, reason, route = "hook", sessionId }) =>
    [at.toISOString(), decision.padEnd(5), route.padEnd(5), reason, inlineCode(sessionId).slice(1, -1)].join("  "),
  );
  return [watching, "", rows.length === 0 ? "No stops of Codex are recorded." : "Last stops:", ...rows].join("\n");
}
