import { readProjectFile } from "./read-small-file.ts";

/** Whether a working slug is a plain folder name. */
export function isSafeSlug(slug: string): boolean {
  return slug !== "" && slug !== "." && !slug.includes("..") && !/[/\\\0]/.test(slug) && slug.length <= 200;
}

/** The implementation plan of a working slug, or null where there is none or the slug is not a plain folder name. */
export function readPlan(root: string, slug: string | null): string | null {
  if (slug === null || !isSafeSlug(slug)) return null;
  const plan = readProjectFile(root, `todos/${slug}/implementation-plan.md`);
  return plan.status === "read" ? plan.text : null;
}
