/** Whether a context is so full that work is to be saved: for a program that is not to load more. */
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
