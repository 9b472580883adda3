import { basename } from "node:path";
import { CheckpointError } from "@agent-checkpoint/handoff";
import type { CheckpointKey } from "../names/file-name.ts";
import { readDocument, type ReadDocument } from "./read-document.ts";

/** What a file of ours holds; one that is somebody else's is refused. */
export function readOwnDocument(path: string, key: CheckpointKey): Exclude<ReadDocument, { status: "not-ours" }> {
  const read = readDocument(path, key);
  if (read.status !== "not-ours") return read;
  throw new CheckpointError("not-ours", `${basename(path)} is left alone: ${read.why}`);
}
