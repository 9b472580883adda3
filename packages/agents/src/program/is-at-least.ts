/** Whether a version is another or a later one; what follows the three numbers is not looked at. */
export function isAtLeast(version: string, wanted: string): boolean {
  const [found, needed] = [numbersOf(version), numbersOf(wanted)];
  const index = found.findIndex((number, place) => number !== needed[place]);
  return index === -1 || (found[index] ?? 0) > (needed[index] ?? 0);
}

function numbersOf(version: string): readonly number[] {
  const [, ...parts] = /(\d+)\.(\d+)\.(\d+)/.exec(version) ?? [];
  return parts.map(Number);
}
