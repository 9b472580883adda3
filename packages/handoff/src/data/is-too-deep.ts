/** Far more levels than anything that is exchanged has. */
export const MOST_LEVELS = 100;

/** Whether a value has so many levels that who walks through it, or writes it, may run out of stack. */
export function isTooDeep(value: unknown, levels: number = MOST_LEVELS): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isTooDeep(inner, levels - 1));
}
