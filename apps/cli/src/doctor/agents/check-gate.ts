import { loadRules } from "@agent-checkpoint/composer";
import { type Finding, ok, warn } from "../finding.ts";
import type { AgentCase } from "./agent-case.ts";

/** Whether the gate before tools is registered where the rules ask for it; switching it on in a config alone does nothing. */
export function checkGate({ machine, settings, files, hooks }: AgentCase): readonly Finding[] {
  const loaded = loadRules(machine.root, machine.home);
  if (hooks.length === 0 || !loaded.ok || loaded.rules.safety?.gate !== true) return [];
  const { name } = settings.gateEvent;
  const isRegistered = files.some(({ registrations }) =>
    registrations.some(({ event, isOurs }) => isOurs && event === name),
  );
  if (isRegistered) return [ok(name)];
  return [
    warn(
      `\`safety.gate\` is on, and ${name} is not registered: no tool is denied`,
      `Register it: checkpoint init --agent ${settings.agent}`,
    ),
  ];
}
