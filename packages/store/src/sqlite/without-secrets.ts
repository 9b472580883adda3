import { redact, redactJson } from "@agent-checkpoint/redaction";

/**
 * A parameter of a statement as the database may see it: every text that is written, and every text that is looked for,
 * so that what was written is found again. A text of JSON stays one.
 */
export function withoutSecrets(parameter: unknown): unknown {
  if (typeof parameter !== "string") return parameter;
  const clean = redact(parameter);
  // In JSON, an escape may hide a secret's end, or its beginning.
  const isWorthReading = /^[[{]/.test(parameter) && (clean !== parameter || parameter.includes("\\"));
  if (!isWorthReading) return clean;
  try {
    return JSON.stringify(redactJson(JSON.parse(parameter)));
  } catch {
    return clean;
  }
}
