import type { UserConfig } from "tsdown";

const RUNTIME = "checkpoint-hook-rolldown-runtime.cjs";

/** Puts the bundler's few helpers into each part that asks for them: a file of their own takes longer to load than they do. */
export const inlineRuntime: NonNullable<UserConfig["plugins"]> = {
  name: "inline-runtime",
  generateBundle: (_options, bundle) => {
    const runtime = bundle[RUNTIME];
    if (runtime?.type !== "chunk") throw new Error(`the bundler has not made ${RUNTIME}`);
    const inPlace = `(()=>{const exports={};${runtime.code};return exports})()`;
    for (const file of Object.values(bundle))
      if (file.type === "chunk") file.code = file.code.replaceAll(`require("./${RUNTIME}")`, () => inPlace);
    delete bundle[RUNTIME];
  },
};
