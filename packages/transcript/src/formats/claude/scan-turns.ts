import type { Format } from "../format.ts";
import { lineText, maySpeak, userLineKind } from "./read-turn.ts";

/** Looks for the prompts of a Claude Code transcript. */
export const newTurnScan: Format["newTurnScan"] = ({ path }, { ownMessages = [] }) => ({
  mentions: ["user"],
  take: ({ value: line }) =>
    maySpeak(path, line) && userLineKind(line, lineText(line), ownMessages) === "prompt" ? { kind: "opens" } : null,
});
