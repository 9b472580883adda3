import { fileURLToPath } from "node:url";
import { mergeConfig, type ViteUserConfig } from "vitest/config";
import type { TestProject } from "vitest/node";
import base from "../../vitest.config.ts";
import { WarmThread } from "./warm-thread.ts";

const pathOf = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const DRAW_FEW = pathOf("draw-few.ts");

/** The tests under mutation: in one thread that serves all mutants, because most of a short run is the start of workers. */
const config: ViteUserConfig = mergeConfig(base, {
  plugins: [
    {
      name: "under-mutation",
      enforce: "pre",
      resolveId: (source: string, importer: string | undefined) =>
        source === "fast-check" && importer !== DRAW_FEW ? DRAW_FEW : null,
      configureVitest: ({ project }: { readonly project: TestProject }) => {
        Object.assign(project.config, {
          pool: "warm-thread",
          poolRunner: { name: "warm-thread", createPoolWorker: (options: never) => new WarmThread(options) },
        });
      },
    },
  ],
  test: { isolate: false, setupFiles: [pathOf("fresh-modules.ts")] },
});

export default config;
