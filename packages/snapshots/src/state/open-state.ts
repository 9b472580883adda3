import type { StoreError } from "@agent-checkpoint/store";
import type { Context } from "../place.ts";
import { SafetyError } from "../trouble.ts";
import type { StateAdapter } from "../state-adapter.ts";

/** Does something with the adapter that was given, otherwise with our own store, which is closed again. */
export async function withState<T>(
  { state, home }: Pick<Context, "state" | "home">,
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
async function openOwnStore(home: string): Promise<StateAdapter & { readonly close: () => Promise<void> }> {
  const { openState } = await import("@agent-checkpoint/store");
  const opened = await openState(home);
  if (!opened.ok) throw storeTrouble(home, { message: opened.detail });
  const { state } = opened;
  return {
    name: `agent-checkpoint in ${home}`,
    hasVersions: true,
    list: async (prefix) => (await state.list(prefix)).map(({ key }) => key),
    get: async (key) => (await state.list(known(key))).find((row) => row.key === key) ?? null,
    set: async (key, value, expected) => {
      const columns = typeof value === "object" && value !== null ? Object.entries(value) : [];
      const row = columns.filter((column): column is [string, string | number | null] => isCell(column[1]));
      if (row.length === 0 || row.length < columns.length)
        throw new SafetyError("bad-input", `\`state:${key}\` takes the row of a session.`);
      return state.set(known(key), Object.fromEntries(row), expected?.version);
    },
    delete: (key, expected) => state.set(known(key), null, expected?.version),
    close: () => state.close(),
  };
}

function known(key: string): string {
  if (/^session\/[^/]+\/./s.test(key)) return key;
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
