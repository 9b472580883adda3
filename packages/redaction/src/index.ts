export { redactJson } from "./redact-json.ts";
export { redactLine } from "./redact-line.ts";
export { REDACTED } from "./redacted.ts";
export { redact } from "./redact.ts";
