/** The oldest Node that our programs work with. */
export const OLDEST_NODE = "22.15";

/** Whether this program is the executable with its runtime inside, which needs no Node. */
export const IS_BINARY: boolean = process.versions["bun"] !== undefined;

/** The oldest of each earlier release line; SQLite's binary crashes the process on older ones. */
const OLDEST_MINORS: Readonly<Record<number, number>> = { 22: 15, 23: 11 };

/** Whether a Node version is older than our programs work with. */
export function isNodeTooOld(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major < 22 || minor < (OLDEST_MINORS[major] ?? 0);
}

/** The message: what was wanted, what was found and what to do. */
export function oldNodeAdvice(version: string): string {
  return `needs Node >=${OLDEST_NODE}, found ${version}; start it with a newer node`;
}
