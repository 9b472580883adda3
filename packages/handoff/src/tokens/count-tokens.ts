/** The tokens of a text by the rule of the protocol: what stands between white space. */
export function countTokens(text: string): number {
  return typeof text === "string" ? text.split(/\s+/).filter(Boolean).length : 0;
}
