import type { Check } from "../check.ts";
import type { AgentCase } from "./agent-case.ts";
import { checkCanary } from "./check-canary.ts";
import { checkDuplicates } from "./check-duplicates.ts";
import { checkGate } from "./check-gate.ts";
import { checkHindrances } from "./check-hindrances.ts";
import { checkInstalled } from "./check-installed.ts";
import { checkLastFiring } from "./check-last-firing.ts";
import { checkLatency } from "./check-latency.ts";
import { checkProgram } from "./check-program.ts";
import { checkRegistered } from "./check-registered.ts";
import { checkSettingsFiles } from "./check-settings-files.ts";
import { checkTimeout } from "./check-timeout.ts";
import { checkTrust } from "./check-trust.ts";

/** What is looked at for each agent, in the order that it is told. */
export const AGENT_CHECKS: readonly Check<AgentCase>[] = [
  { id: "version", title: "version", run: checkInstalled },
  { id: "settings", title: "settings", run: checkSettingsFiles },
  { id: "registered", title: "registered", run: checkRegistered },
  { id: "duplicates", title: "duplicates", run: checkDuplicates },
  { id: "gate", title: "gate", run: checkGate },
  { id: "program", title: "program", run: checkProgram },
  { id: "timeout", title: "timeout", run: checkTimeout },
  { id: "switches", title: "switches", run: checkHindrances },
  { id: "trust", title: "trust", run: checkTrust },
  { id: "canary", title: "canary", run: checkCanary },
  { id: "latency", title: "latency", run: checkLatency },
  { id: "last-firing", title: "last firing", run: checkLastFiring },
];
