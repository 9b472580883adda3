import type { StoreError } from "@agent-checkpoint/store";
import type { Sources } from "../kinds/sources.ts";
import { SafetyError } from "../trouble.ts";
import type { StateAdapter } from "./state-adapter.ts";

/** Does something with the adapter that was given, else with our own store, which is closed again. */
export async function withState<T>(
  { state, home }: Pick<Sources, "state" | "home">,
  work: (adapter: StateAdapter) => Promise<T>,
): Promise<T> {
  if (state !== null) return work(state);
  const own = await openOwnStore(home);
  try {
    return await work(own);
  } catch (error) {
    throw isStoreError(error) ? storeTrouble(home, error) : error;
  } finally {
    await own.close();
  }
}

/** Our own store as keys: `session/<agent>/<id>` for what is known of a session. */
export async function openOwnStore(home: string): Promise<StateAdapter & { readonly close: () => Promise<void> }> {
  const { openStore } = await import("@agent-checkpoint/store");
  const opened = await openStore(home);
  if (!opened.ok) throw storeTrouble(home, { message: opened.detail });
  const { store } = opened;
  return {
    name: `agent-checkpoint in ${home}`,
    hasVersions: true,
    list: (prefix) => store.listStateKeys(prefix),
    get: (key) => store.getState(known(key)),
    set: async (key, value, expected) => {
      const columns = typeof value === "object" && value !== null ? Object.entries(value) : [];
      const row = columns.filter((column): column is [string, string | number | null] => isCell(column[1]));
      if (row.length === 0 || row.length < columns.length)
        throw new SafetyError("bad-input", `\`state:${key}\` takes the row of a session.`);
      return store.setState(known(key), Object.fromEntries(row), expected?.version);
    },
    delete: (key, expected) => store.setState(known(key), null, expected?.version),
    close: () => store.close(),
  };
}

function known(key: string): string {
  if (/^session\/(claude|gemini|codex)\/./s.test(key)) return key;
  throw new SafetyError(
    "bad-input",
    `Our store has no key \`${key}\`.`,
    "Its keys are session/<agent>/<id>; `state:session/*` names all of them.",
  );
}

function isCell(value: unknown): boolean {
  return value === null || typeof value === "string" || typeof value === "number";
}

function isStoreError(error: unknown): error is StoreError {
  return error instanceof Error && error.name === "StoreError";
}

function storeTrouble(home: string, { message }: { readonly message: string }): SafetyError {
  return new SafetyError("database", `The store in ${home} cannot be used: ${message}.`);
}
