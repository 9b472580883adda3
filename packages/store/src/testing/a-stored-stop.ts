import type { Stop, StoredStop } from "../tables/stops.ts";
import { aStop } from "./a-stop.ts";

/** The same stop as the store gives it back under a number. */
export function aStoredStop(id: number, fields: Partial<Stop> = {}): StoredStop {
  const {
    route = "hook",
    isCanary = false,
    trail = null,
    messageLength = null,
    repository = null,
    quiet = {},
    ...stop
  } = aStop(fields);
  return { ...stop, id, route, isCanary, trail, messageLength, repository, quiet };
}
