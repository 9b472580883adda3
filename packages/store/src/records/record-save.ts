import type { QueryConnection } from "../sqlite/connection.ts";
import { type Save, toSaveRow } from "./save.ts";

/** Records what came of saving a session's work, and gives the record's number. */
export function recordSave({ queries, prepareQuery }: QueryConnection, save: Save): number {
  const [row] = prepareQuery(queries.insertInto("saves").values(toSaveRow(save)).returning("id"))();
  return row?.id ?? 0;
}

/** Sets what came of a save later on, such as a push that had to wait. */
export function updateSave(
  { queries, prepareChange }: QueryConnection,
  id: number,
  outcome: string,
  detail: string | null,
): void {
  prepareChange(queries.updateTable("saves").set({ outcome, detail }).where("id", "=", id))();
}
