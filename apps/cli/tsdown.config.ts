import type { UserConfig } from "tsdown";
import { thirdPartyNotices } from "../../scripts/third-party-notices.ts";
import codexInjector from "../codex-injector/tsdown.config.ts";
import { hookPrograms } from "../hook-receiver/tsdown.config.ts";

/** Our own packages are inside; the libraries are installed beside it. */
const OWN = /^@agent-checkpoint\//;
const deps: UserConfig["deps"] = { alwaysBundle: [OWN] };

/** What only a team's service needs is inside too: installed whole, it would be several times as large. */
const OF_THE_SERVICE = /^(?:@hono\/node-server|hono|kysely)(?:\/|$)/;

/** The program as ES modules. */
const checkpoint: UserConfig = {
  entry: { checkpoint: "src/checkpoint.ts", "replay-worker": "src/replay/run/replay-worker.ts" },
  format: "esm",
  platform: "node",
  target: "node22.15",
  deps: { alwaysBundle: [OWN, OF_THE_SERVICE] },
  dts: false,
  clean: true,
  fixedExtension: true,
  banner: "#!/usr/bin/env node",
  plugins: [thirdPartyNotices()],
  logLevel: "warn",
};

/** One package holds every program, so that one installation is enough. */
const config: readonly UserConfig[] = [
  checkpoint,
  ...hookPrograms,
  {
    ...codexInjector,
    entry: { "checkpoint-codex": "../codex-injector/src/checkpoint-codex.ts" },
    deps,
    clean: false,
  },
];

export default config;
