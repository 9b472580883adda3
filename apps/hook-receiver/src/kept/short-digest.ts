/** A short name for a text, for one that needs no proof against others: the module for that takes milliseconds to load. */
export function shortDigest(text: string): string {
  let sum = 5381;
  for (let at = 0; at < text.length; at += 1) sum = (Math.imul(sum, 33) ^ text.charCodeAt(at)) >>> 0;
  return sum.toString(36);
}
