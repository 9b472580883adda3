import type { QueryConnection } from "../sqlite/connection.ts";
import { type Save, type StoredSave, toSaveRow } from "./save.ts";

/** What came of a recorded save later on, such as a push that had to wait. */
export type SaveUpdate = Pick<StoredSave, "id" | "outcome" | "detail">;

/** Records what came of saving a session's work, or what came of a recorded save later on; gives the record's id. */
export function recordSave({ queries, prepareQuery }: QueryConnection, save: Save | SaveUpdate): number {
  const [row] =
    "id" in save
      ? prepareQuery(
          queries
            .updateTable("saves")
            .set({ outcome: save.outcome, detail: save.detail })
            .where("id", "=", save.id)
            .returning("id"),
        )()
      : prepareQuery(queries.insertInto("saves").values(toSaveRow(save)).returning("id"))();
  return row?.id ?? 0;
}
