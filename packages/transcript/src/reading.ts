// For programs that follow a Codex rollout while it grows, line by line, instead of reading a turn at its end.
export { userMessage } from "./formats/codex/is-prompt.ts";
export { readLine, type RolloutLine } from "./formats/codex/read-line.ts";
export { dateAt, isObject, type JsonObject, objectAt, objectsAt, parseObject, textAt } from "./read/json.ts";
export { type OpenFile, withRegularFile } from "./read/open-regular-file.ts";
export { readBlock } from "./read/read-block.ts";
export { readLinesBackwards } from "./read/read-lines-backwards.ts";
