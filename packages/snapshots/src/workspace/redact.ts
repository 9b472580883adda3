export { redactLine as redact } from "@agent-checkpoint/redaction";
