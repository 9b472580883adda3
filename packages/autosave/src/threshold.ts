/** Decides whether work must be saved; a small entry for programs that should load nothing else. */
export {
  decideTrigger,
  markAfterSave,
  parseThreshold,
  type Threshold,
  type Trigger,
  type TriggerFacts,
} from "./usage/decide-trigger.ts";
export {
  type BridgedUsage,
  payloadUsage,
  readBridge,
  readUsage,
  type Usage,
  type UsageSources,
  writeBridge,
} from "./usage/read-usage.ts";
