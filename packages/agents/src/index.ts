export type {
  Agent,
  Blocker,
  Canary,
  CanaryTurn,
  HooksFile,
  PersonalPlace,
  Problem,
  SettingsPlace,
  SettingsScope,
} from "./agent.ts";
export {
  agentOf,
  AGENTS,
  agentAbove,
  skillsFolder,
  type SurroundingAgent,
  surroundingAgents,
  wantedHooks,
  withoutAgentVariables,
} from "./agents.ts";
export { isHookTrusted } from "./codex/hook-trust.ts";
export { HOOK_PROGRAM, type ProgramPaths, projectCommand, userCommand } from "./program/hook-command.ts";
export { findInstalled, findOnPath, type InstalledAgent, isAtLeast, isProgram } from "./program/installed.ts";
export { isInRunnerCache, stableNodePath, stablePackagePath } from "./program/stable-path.ts";
export { answerSkillCall, parseSkillCall, type SkillCall } from "./skill-call.ts";
export type { ManagedChannel, Platform } from "./settings/managed.ts";
export type { SettingsProblem } from "./settings/parse-settings.ts";
export {
  type HookChange,
  type HooksForm,
  planRegistration,
  planRemoval,
  type RegistrationPlan,
  type RemovalPlan,
} from "./settings/plan.ts";
export { findForeignSyntax, mendSyntax } from "./settings/syntax.ts";
export { isSameForOthers, readRegistrations, type Registration } from "./settings/registrations.ts";
