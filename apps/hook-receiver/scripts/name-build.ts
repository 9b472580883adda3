import { createHash } from "node:crypto";
import type { UserConfig } from "tsdown";

/** Stands in the code for the name until that is known. */
const PLACE = "@the name of the build@";

/** What the sources call the name. */
export const buildName: Readonly<Record<string, string>> = { BUILT_AS: JSON.stringify(PLACE) };

/** Names a build after all of its code, so that what one has kept is not taken for what another would make. */
export const nameBuild: NonNullable<UserConfig["plugins"]> = {
  name: "name-build",
  generateBundle: (_options, bundle) => {
    const chunks = Object.values(bundle).filter((file) => file.type === "chunk");
    const digest = createHash("sha256");
    for (const { fileName, code } of chunks.toSorted((one, other) => (one.fileName < other.fileName ? -1 : 1)))
      digest.update(`${fileName}\0${code}\0`);
    const name = digest.digest("hex").slice(0, 16);
    const named = chunks.filter(({ code }) => code.includes(PLACE));
    if (named.length === 0) throw new Error("no part of the program asks for the name of its build");
    for (const chunk of named) chunk.code = chunk.code.replaceAll(PLACE, name);
  },
};
