export { type Appended, appendLine } from "./append-line.ts";
export { checkpointHome, ensureHome } from "./checkpoint-home.ts";
export {
  type Lock,
  type LockOptions,
  type LockResult,
  rotateFile,
  takeLock,
  withLock,
  withLockSync,
} from "./with-lock.ts";
export { findLockOwner, type LockOwner, type Owner } from "./owner.ts";
export { copyToFree, move, moveToFree, openNew, publish } from "./move.ts";
export { type MarkdownLine, markdownLines } from "./markdown-lines.ts";
export { readProcess, type RunningProcess } from "./read-process.ts";
export { readSmallFile, readSmallText, type SmallFile } from "./read-small-file.ts";
export { errorCode, errorMessage, isRecord } from "./unknown-values.ts";
export { blankInvisible, escapeCharacter, escapeInvisible, escapeInvisibleInJson } from "./visible-text.ts";
export {
  flushFolder,
  replaceFile,
  setAside,
  sweepDrafts,
  uniqueName,
  writeAll,
  writeDraft,
  writeNew,
  writeWhole,
} from "./write-whole.ts";
