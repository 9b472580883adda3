import { CHECK_IDS, type CheckId } from "../types.ts";

/** Every check switched on. */
export const ALL_CHECKS: Readonly<Record<CheckId, boolean>> = Object.fromEntries(
  CHECK_IDS.map((id) => [id, true]),
) as Record<CheckId, boolean>;
