import type { SafetyOptions } from "../context.ts";
import { contextOf } from "../context.ts";
import { isOfPlace } from "../place.ts";
import { listIds, listManifests } from "../store/load-checkpoint.ts";
import { SafetyError, type Trouble, troubleOf } from "../trouble.ts";

/** The id that a word stands for: itself, `latest` for the last snapshot that was asked for here, or the beginning of one id. */
export async function resolveId(
  word: string,
  options: SafetyOptions,
): Promise<{ readonly status: "resolved"; readonly id: string } | Trouble> {
  try {
    const { place } = await contextOf(options);
    if (word === "latest") {
      const own = (await listManifests(place.layout)).flatMap((found) => ("manifest" in found ? [found.manifest] : []));
      const last = own.findLast((manifest) => manifest.purpose === "asked" && isOfPlace(manifest, place));
      if (last !== undefined) return { status: "resolved", id: last.id };
      throw new SafetyError("unknown-checkpoint", "There is no snapshot here yet.");
    }
    const beginnings = [word, `chk_${word}`];
    const ids = listIds(place.layout).filter(
      (id) => word !== "" && beginnings.some((beginning) => id.startsWith(beginning)),
    );
    if (ids.length > 1)
      throw new SafetyError(
        "bad-input",
        `\`${word}\` is the beginning of ${ids.length} ids.`,
        `Write more of it: ${ids.slice(0, 3).join(", ")}.`,
      );
    return { status: "resolved", id: ids[0] ?? word };
  } catch (error) {
    const trouble = troubleOf(error);
    if (trouble === null) throw error;
    return trouble;
  }
}
