/** The oldest Node that our programs work with. */
export const OLDEST_NODE = "22.12";

/** Whether a Node version is older than that. */
export function isNodeTooOld(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = OLDEST_NODE.split(".").map(Number);
  return major < oldestMajor || (major === oldestMajor && minor < oldestMinor);
}

/** What was wanted, what was found and what to do. */
export function oldNodeAdvice(version: string): string {
  return `needs Node >=${OLDEST_NODE}, found ${version}; start it with a newer node`;
}
