export { type BridgedUsage, readBridge, writeBridge } from "./usage/bridge-file.ts";
export { decideTrigger, markAfterSave, type Trigger, type TriggerFacts } from "./usage/decide-trigger.ts";
export { parseThreshold, type Threshold } from "./usage/parse-threshold.ts";
export { payloadUsage } from "./usage/payload-usage.ts";
export { readUsage, type Usage, type UsageSources } from "./usage/read-usage.ts";
