import { randomBytes } from "node:crypto";

/** A word that no other call gives, in this process or another. */
export function uniqueToken(): string {
  return randomBytes(9).toString("hex");
}
