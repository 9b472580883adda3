export { describeIssues } from "./data/describe-issues.ts";
export { isRecord } from "./data/is-record.ts";
export { isTooDeep } from "./data/is-too-deep.ts";
export { plainCopy } from "./data/plain-copy.ts";
export { INTEGRATIONS_FILE, loadIntegrations } from "./integrations/load-integrations.ts";
export { type IntegrationsResult, parseIntegrations } from "./integrations/parse-integrations.ts";
export {
  DEFAULT_INTEGRATIONS,
  DISABLED_INTEGRATIONS,
  type Integrations,
  type IntegrationsFile,
  IntegrationsSchema,
  type LinearIntegration,
  type VercelIntegration,
} from "./integrations/schema.ts";
export { findProjectRoot, type Workplace } from "./project/find-project-root.ts";
export { HandoffRequestSchema, HandoffResponseSchema } from "./protocol/schema.ts";
export {
  type HandoffCheck,
  type HandoffDecision,
  type HandoffMode,
  type HandoffRequest,
  type HandoffResponse,
  type HandoffStatus,
  MODES,
} from "./protocol/types.ts";
export { validateHandoffRequest } from "./protocol/validate-handoff-request.ts";
export { validateHandoffResponse } from "./protocol/validate-handoff-response.ts";
export { CheckpointError, type Fault, type FaultCode } from "./report/checkpoint-error.ts";
export { getLastError, logError, setLogError, sharedReporter } from "./report/log-error.ts";
export { createReporter, type Reporter } from "./report/reporter.ts";
export { countTokens } from "./tokens/count-tokens.ts";
export { estimateTokens } from "./tokens/estimate-tokens.ts";
export { SUMMARY_LIMIT, type SummaryCheck, validateContextSummary } from "./tokens/validate-context-summary.ts";
