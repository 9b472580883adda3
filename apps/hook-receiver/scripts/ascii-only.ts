import type { UserConfig } from "tsdown";

/** Writes every other letter as an escape: a file of ASCII alone becomes a text without being decoded, in half the memory. */
export const asciiOnly: NonNullable<UserConfig["plugins"]> = {
  name: "ascii-only",
  generateBundle: (_options, bundle) => {
    for (const file of Object.values(bundle)) {
      if (file.type !== "chunk") continue;
      // In strings, templates and patterns the escape means the letter.
      file.code = file.code.replaceAll(
        /[^\0-\x7F]/g,
        (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
      );
    }
  },
};
