import { relative, resolve } from "node:path";
import { type SafetyOptions, contextOf } from "../context.ts";
import { createLooker, entryAt } from "../files/entry-at.ts";
import { encodePath, isInside, toBytePath } from "../paths/byte-path.ts";
import { ensureFolders } from "../store/repository.ts";
import type { StoreLayout } from "../store/store-layout.ts";
import { type Trouble, troubleOf } from "../trouble.ts";
import { appendLine, errorCode } from "@agent-checkpoint/files";
import { writesPath } from "./read-writes.ts";

/** Records that an agent has just written files, with their current contents, so that a later change by someone else is detected. */
export async function noteWrites(
  files: readonly string[],
  options: SafetyOptions,
): Promise<{ readonly status: "noted"; readonly files: number } | Trouble> {
  try {
    const { place, session, now } = await contextOf(options);
    const { look } = createLooker(place.root);
    const inside = files.map((file) => resolve(place.cwd, file)).filter((file) => isInside(file, place.root));
    const lines = inside.map((file) => {
      const path = toBytePath(relative(place.root, file));
      const { oid } = entryAt(place.root, path, look);
      return JSON.stringify({ at: now().toISOString(), session, path: encodePath(path), oid });
    });
    if (lines.length > 0) append(place, `${lines.join("\n")}\n`);
    return { status: "noted", files: inside.length };
  } catch (error) {
    const trouble = troubleOf(error);
    if (trouble === null) throw error;
    return trouble;
  }
}

/** Adds lines, also if a first snapshot that came to nothing takes the store away in the same moment. */
function append({ layout, root }: { readonly layout: StoreLayout; readonly root: string }, text: string): void {
  for (let attempt = 1; ; attempt += 1) {
    try {
      ensureFolders(layout);
      appendLine(writesPath(layout, root), text);
      return;
    } catch (error) {
      if (errorCode(error) !== "ENOENT" || attempt === ATTEMPTS) throw error;
    }
  }
}

const ATTEMPTS = 5;
