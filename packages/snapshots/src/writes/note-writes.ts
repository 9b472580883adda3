import { relative, resolve } from "node:path";
import { contextOf, type SafetyOptions } from "../context.ts";
import { entryAt } from "../files/entry-at.ts";
import { createLooker } from "../files/look-at.ts";
import { encodePath, toBytePath } from "../paths/byte-path.ts";
import { isInside } from "../paths/is-inside.ts";
import { ensureStore } from "../store/ensure-store.ts";
import { tryAgainWhereGone } from "../store/try-again-where-gone.ts";
import { type Trouble, troubleOf } from "../trouble.ts";
import { appendLine } from "../workspace/append-line.ts";
import { writesPath } from "./read-writes.ts";

/** Records that an agent has just written files, with what they hold now, so that a later change by somebody else shows. */
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
      const { sha256 } = entryAt(place.root, path, look);
      return JSON.stringify({ at: now().toISOString(), session, path: encodePath(path), sha256 });
    });
    if (lines.length > 0)
      tryAgainWhereGone(() => {
        ensureStore(place.layout);
        appendLine(writesPath(place.layout, place.root), lines.join("\n"));
      });
    return { status: "noted", files: inside.length };
  } catch (error) {
    const trouble = troubleOf(error);
    if (trouble === null) throw error;
    return trouble;
  }
}
