import { openStore, type Store, StoreError } from "@agent-checkpoint/store";
import { type CliError, failed } from "./cli-error.ts";

/** Opens the store of a home, uses it and closes it; throws a `CliError` if it cannot be used. */
export async function withStore<Result>(home: string, use: (store: Store) => Promise<Result>): Promise<Result> {
  const opened = await openStore(home);
  if (!opened.ok) throw cannotUse(home, opened.reason, opened.detail);
  try {
    return await use(opened.store);
  } catch (error) {
    if (error instanceof StoreError) throw cannotUse(home, error.reason, error.message);
    throw error;
  } finally {
    await opened.store.close();
  }
}

function cannotUse(home: string, reason: string, detail: string): CliError {
  return failed(
    `the store in ${home} cannot be used (${reason}): ${detail}`,
    "Run checkpoint doctor to find out what is wrong with it.",
  );
}
