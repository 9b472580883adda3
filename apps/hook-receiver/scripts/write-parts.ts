import type { UserConfig } from "tsdown";
import { asPart } from "../src/parts/as-part.ts";

/** Writes every file of a build as a part. */
export const writeParts: NonNullable<UserConfig["plugins"]> = {
  name: "write-parts",
  generateBundle: (_options, bundle) => {
    for (const file of Object.values(bundle)) if (file.type === "chunk") file.code = asPart(file.code);
  },
};
