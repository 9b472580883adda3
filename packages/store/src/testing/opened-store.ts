import { expect, onTestFinished } from "vitest";
import { openStore, type OpenOptions } from "../open-store.ts";
import type { Store } from "../store.ts";

/** An open store that is closed after the test. */
export async function openedStore(home: string, options?: OpenOptions): Promise<Store> {
  const result = await openStore(home, options);
  if (!result.ok) return expect.fail(`${result.reason}: ${result.detail}`);
  onTestFinished(() => result.store.close());
  return result.store;
}
