export { REDACTED, redact, redactJson, redactLine } from "./redact.ts";
