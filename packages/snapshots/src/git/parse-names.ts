import type { BytePath } from "../paths/byte-path.ts";

/** The fields of an output that ends each with NUL. */
export function parseNames(output: Buffer): readonly BytePath[] {
  const names = output.toString("latin1").split("\0");
  names.pop();
  return names;
}
