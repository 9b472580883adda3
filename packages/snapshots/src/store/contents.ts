import { createHash, type Hash, hash } from "node:crypto";
import { type ObjectReader, openObjects } from "@agent-checkpoint/git";
import { writeAll } from "@agent-checkpoint/files";
import type { StoreLayout } from "./store-layout.ts";

/** The objects in a store. Contents are asked for by their id and proven by it. */
export interface Contents {
  /** The bytes of a content; null if they are missing or damaged. */
  readonly read: (oid: string) => Promise<Buffer | null>;
  /** Copies the bytes into an open file while proving them; false if they are missing or damaged. */
  readonly copy: (oid: string, file: number) => Promise<boolean>;
  /** Whether the bytes are there and have this id. */
  readonly isWhole: (oid: string) => Promise<boolean>;
  /** Any object by its name; null if it is missing, damaged or of another type. */
  readonly object: (name: string, type: "blob" | "commit") => Promise<Buffer | null>;
  readonly close: () => void;
}

/** Opens a store for reading. */
export function openContents({ repository }: Pick<StoreLayout, "repository">): Contents {
  const reader = openObjects(repository);
  return {
    read: async (oid) => {
      const bytes = await wholeObject(reader, oid, "blob");
      return bytes !== null && blobId(bytes) === oid ? bytes : null;
    },
    copy: (oid, file) => prove(reader, oid, (part) => writeAll(file, part)),
    isWhole: (oid) => prove(reader, oid, () => undefined),
    object: (name, type) => wholeObject(reader, name, type),
    close: reader.close,
  };
}

async function wholeObject({ read }: ObjectReader, name: string, type: string): Promise<Buffer | null> {
  const parts: Buffer[] = [];
  return (await read(name, (part) => parts.push(part))) === type ? Buffer.concat(parts) : null;
}

async function prove({ read }: ObjectReader, oid: string, take: (part: Buffer) => void): Promise<boolean> {
  let digest: Hash | null = null;
  const type = await read(oid, (part, size) => {
    digest ??= createHash("sha1").update(`blob ${size}\0`);
    digest.update(part);
    take(part);
  });
  return type === "blob" && ((digest as Hash | null)?.digest("hex") ?? EMPTY) === oid;
}

/** The id that git gives to a content. */
export function blobId(bytes: Buffer): string {
  return hash("sha1", Buffer.concat([Buffer.from(`blob ${bytes.length}\0`), bytes]));
}

const EMPTY = blobId(Buffer.alloc(0));
