import { escapeInvisible, escapeInvisibleInJson } from "@agent-checkpoint/files";
import { redactJson } from "@agent-checkpoint/redaction";
import type { Environment } from "../environment.ts";
import { toJson } from "../terminal/visible.ts";

/** Prints an answer of the contract as YAML or JSON. */
export async function printDocument(value: unknown, { out }: Pick<Environment, "out">, json: boolean): Promise<void> {
  if (json) return out(toJson(value));
  const { Document, visit } = await import("yaml");
  const document = new Document(redactJson(value), { aliasDuplicateObjects: false });
  // Only a double-quoted string can contain an escape.
  visit(document, {
    Scalar: (_, scalar) => {
      const { value: text } = scalar;
      if (typeof text === "string" && escapeInvisible(text) !== text) scalar.type = "QUOTE_DOUBLE";
    },
  });
  return out(escapeInvisibleInJson(document.toString({ lineWidth: 0 })));
}
