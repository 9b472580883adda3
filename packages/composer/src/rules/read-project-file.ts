import { lstatSync, realpathSync } from "node:fs";
import { join, sep } from "node:path";
import { errorCode, readSmallFile } from "@agent-checkpoint/files";

/** The text of a small file, or why there is none. */
export type FileText =
  | { readonly status: "read"; readonly text: string }
  | { readonly status: "missing" }
  | { readonly status: "refused"; readonly found: string };

const MAX_BYTES = 1024 * 1024;

/** A file of a repository; a link that leads out of the repository is not followed, wherever on the way it is. */
export function readProjectFile(root: string, file: string): FileText {
  return reading(join(root, file), (path) => {
    // A file at the root that is no link itself cannot lead anywhere.
    if (!file.includes("/") && !lstatSync(path).isSymbolicLink()) return path;
    const real = realpathSync(path);
    return real.startsWith(`${realpathSync(root)}${sep}`) ? real : null;
  });
}

/** A file of the person's own, who may keep it elsewhere and link to it. */
export function readOwnFile(path: string): FileText {
  return reading(path, realpathSync);
}

/** The implementation plan of a working slug; null if there is none or the slug is not a plain folder name. */
export function readPlan(root: string, slug: string | null): string | null {
  if (slug === null || !isSafeSlug(slug)) return null;
  const plan = readProjectFile(root, `todos/${slug}/implementation-plan.md`);
  return plan.status === "read" ? plan.text : null;
}

/** Whether a working slug is a plain folder name. */
export function isSafeSlug(slug: string): boolean {
  return slug !== "" && slug !== "." && !slug.includes("..") && !/[/\\\0]/.test(slug) && slug.length <= 200;
}

/** Most files are not there, and an error for each would be dear. */
function reading(path: string, resolve: (path: string) => string | null): FileText {
  try {
    if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return { status: "missing" };
    const real = resolve(path);
    if (real === null) return { status: "refused", found: "a link that leads out of the repository" };
    const file = readSmallFile(real, MAX_BYTES);
    if (file.ok) return { status: "read", text: file.bytes.toString("utf8") };
    if (file.reason === "missing") return { status: "missing" };
    return { status: "refused", found: file.reason === "too-large" ? "more than 1 MB" : file.detail };
  } catch (error) {
    const code = errorCode(error) ?? "unknown";
    return code === "ENOENT" || code === "ENOTDIR" ? { status: "missing" } : { status: "refused", found: code };
  }
}
