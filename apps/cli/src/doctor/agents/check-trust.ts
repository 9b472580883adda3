import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type HookTrust, isAtLeast, readHookTrust } from "@agent-checkpoint/agents";
import { parse } from "smol-toml";
import { fail, type Finding, ok } from "../finding.ts";
import type { AgentCase } from "./agent-case.ts";

/** The first Codex that runs no hook before a person has trusted it. */
const GATED_SINCE = "0.129.0";

const STATES: readonly HookTrust[] = ["untrusted", "changed", "off", "trusted"];

const REVIEW = 'Start codex, choose "Review hooks", and trust it; nothing of ours does that for you.';

const UNTRUSTED: Readonly<Record<Exclude<HookTrust, "trusted">, { readonly what: string; readonly fix: string }>> = {
  untrusted: { what: "not trusted, so Codex skips it without a word", fix: REVIEW },
  changed: { what: "changed since it was trusted, so Codex skips it without a word", fix: REVIEW },
  off: { what: "switched off", fix: "Switch it on again in codex, with /hooks." },
};

/** Whether Codex has been told to run our hooks. */
export function checkTrust({ settings, installed, files, place }: AgentCase): readonly Finding[] {
  if (settings.agent !== "codex") return [];
  const version = installed?.version ?? null;
  if (version !== null && !isAtLeast(version, GATED_SINCE)) return [];
  const config = join(settings.homeFolder(place), "config.toml");
  const events = new Set(settings.events.map(({ name }) => name));
  const findings = files.flatMap(({ path, scope }): readonly Finding[] => {
    const hooks = readHookTrust(path, config).filter(({ event }) => events.has(event));
    if (hooks.length > 0 && scope === "project" && !isTrustedProject(config, place.projectRoot))
      return [
        fail(
          `${place.projectRoot} is not a trusted project: Codex does not look at ${path}`,
          "Start codex in it once and trust the folder.",
        ),
      ];
    return STATES.flatMap((state) => {
      const names = hooks.filter(({ trust }) => trust === state).map(({ event }) => event);
      if (names.length === 0) return [];
      if (state === "trusted") return [ok(names.join(" and "))];
      const { what, fix } = UNTRUSTED[state];
      return [fail(`${names.join(" and ")} of ${path}: ${what}`, fix)];
    });
  });
  const problems = findings.filter(({ level }) => level === "fail");
  return problems.length > 0 ? problems : findings;
}

function isTrustedProject(config: string, root: string): boolean {
  try {
    const { projects } = parse(readFileSync(config, "utf8")) as {
      readonly projects?: Readonly<Record<string, { readonly trust_level?: unknown }>>;
    };
    return projects?.[root]?.trust_level === "trusted";
  } catch {
    return false;
  }
}
