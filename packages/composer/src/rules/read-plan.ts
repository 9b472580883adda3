import { lstatSync, readFileSync } from "node:fs";
import { join } from "node:path";

const MAX_BYTES = 1024 * 1024;

/** Whether a working slug is a plain folder name. */
export function isSafeSlug(slug: string): boolean {
  return slug !== "" && slug !== "." && !slug.includes("..") && !/[/\\\0]/.test(slug) && slug.length <= 200;
}

/** The implementation plan of a working slug, or null where there is none or the slug is not a plain folder name. */
export function readPlan(root: string, slug: string | null): string | null {
  if (slug === null || !isSafeSlug(slug)) return null;
  const path = join(root, "todos", slug, "implementation-plan.md");
  try {
    const stats = lstatSync(path);
    return stats.isFile() && stats.size <= MAX_BYTES ? readFileSync(path, "utf8") : null;
  } catch {
    return null;
  }
}
