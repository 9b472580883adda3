import type { Surroundings } from "../surroundings.ts";
import { toJson } from "../terminal/to-json.ts";

/** Prints an answer of the contract: YAML, or JSON where that was asked for. */
export async function printDocument(value: unknown, { out }: Pick<Surroundings, "out">, json: boolean): Promise<void> {
  if (json) return out(toJson(value));
  const { stringify } = await import("yaml");
  return out(stringify(value, { lineWidth: 0, aliasDuplicateObjects: false }));
}
