import { openStore, type Stop } from "@agent-checkpoint/store";

/** The stops that a store has recorded, in order. */
export async function readStops(home: string): Promise<readonly Stop[]> {
  const opened = await openStore(home);
  if (!opened.ok) throw new Error(`The run left no readable store: ${opened.reason}, ${opened.detail}`);
  try {
    const stops = await opened.store.stops.list({});
    return stops.toReversed();
  } finally {
    await opened.store.close();
  }
}
