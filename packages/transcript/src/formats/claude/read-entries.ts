import { readEntriesBackwards } from "../../read/backwards.ts";
import type { Format } from "../format.ts";

/** Gives the lines of a Claude Code transcript backwards. */
export const readEntries: Format["readEntries"] = ({ file }, tally, range) => readEntriesBackwards(file, tally, range);
