import { createTwoFilesPatch } from "diff";

/** The change of a file as a unified diff; null stands for no file. */
export function unifiedDiff(file: string, before: string | null, after: string | null): string {
  const [from, to] = [before === null ? "/dev/null" : file, after === null ? "/dev/null" : file];
  const patch = createTwoFilesPatch(from, to, before ?? "", after ?? "", undefined, undefined, { context: 3 });
  return patch.slice(patch.indexOf("--- "));
}
