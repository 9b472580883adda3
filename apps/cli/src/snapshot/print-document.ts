import { redactJson } from "@agent-checkpoint/redaction";
import type { Surroundings } from "../surroundings.ts";
import { escapeActing, toJson } from "../terminal/to-json.ts";

/** Prints an answer of the contract: YAML, or JSON where that was asked for. */
export async function printDocument(value: unknown, { out }: Pick<Surroundings, "out">, json: boolean): Promise<void> {
  if (json) return out(toJson(value));
  const { Document, visit } = await import("yaml");
  const document = new Document(redactJson(value), { aliasDuplicateObjects: false });
  // Only a string in double quotes can hold an escape.
  visit(document, {
    Scalar: (_, scalar) => {
      if (typeof scalar.value === "string" && /[\p{C}\p{Zl}\p{Zp}]/u.test(scalar.value)) scalar.type = "QUOTE_DOUBLE";
    },
  });
  return out(escapeActing(document.toString({ lineWidth: 0 })));
}
