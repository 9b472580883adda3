import { existsSync } from "node:fs";
import { join } from "node:path";
import { readRepository } from "@agent-checkpoint/repository";
import { readConfigs } from "../../config/read-configs.ts";
import { outdatedConfig } from "../../proposal/outdated-config.ts";
import { type Finding, ok, warn } from "../finding.ts";
import type { Machine } from "./machine.ts";

/** Whether the repository still has what its config names. */
export async function checkOutdated({ root, home }: Machine): Promise<readonly Finding[]> {
  const config = readConfigs(root, home).at(-1)?.named?.config;
  if (config === undefined) return [];
  const facts = await readRepository(root);
  const said = outdatedConfig(config, { facts, hasPath: (path) => existsSync(join(root, path)) });
  const fix = "Correct the row in checkpoint.config.json; `checkpoint init --explain` shows what the repository has.";
  return said.length === 0 ? [ok("names what the repository has")] : said.map((what) => warn(what, fix));
}
