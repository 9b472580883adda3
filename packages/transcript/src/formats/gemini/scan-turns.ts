import { textAt } from "../../read/json.ts";
import type { Format } from "../format.ts";
import { isPrompt } from "./is-prompt.ts";

/**
 * Looks for the prompts of a Gemini CLI transcript.
 *
 * A message may be written again under its id. What `$rewindTo` takes back was done all the same, and its turn ended
 * before that line.
 */
export const newTurnScan: Format["newTurnScan"] = (_transcript, { ownMessages = [] }) => {
  let last: string | null = null;
  return {
    mentions: ["user", "$rewindTo"],
    take: ({ value }) => {
      if (textAt(value, "$rewindTo") !== null) return { kind: "ends" };
      if (!isPrompt(value, ownMessages)) return null;
      const id = textAt(value, "id");
      if (id !== null && id === last) return null;
      last = id;
      return { kind: "opens" };
    },
  };
};
