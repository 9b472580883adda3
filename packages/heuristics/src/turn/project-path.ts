/** Where the project lies, for telling its files from others. */
export interface ProjectPlace {
  /** The repository's root. */
  readonly projectPath: string;
  /** Other spellings of the root, such as its real path behind a link. */
  readonly projectAliases?: readonly string[] | undefined;
}

/** A path as git writes it: relative to the project's root, with forward slashes; null for what lies outside. */
export function toProjectPath(path: string, place: ProjectPlace, folder = "."): string | null {
  const absolute = joinPath(joinPath(place.projectPath, folder), path);
  for (const root of [place.projectPath, ...(place.projectAliases ?? [])]) {
    const prefix = root.endsWith("/") ? root : `${root}/`;
    if (absolute.startsWith(prefix) && absolute.length > prefix.length) return absolute.slice(prefix.length);
  }
  return null;
}

/** Whether a folder, absolute or relative to the project, lies in the project. */
export function isInProject(folder: string, place: ProjectPlace): boolean {
  return toProjectPath(joinPath(folder, "x"), place) !== null;
}

/** Joins two paths and takes out `.` and `..`; an absolute second path stands alone. */
export function joinPath(base: string, path: string): string {
  const whole = slashed(isAbsolute(path) ? path : `${base}/${path}`);
  const parts: string[] = [];
  for (const part of whole.split("/")) {
    if (part === "" || part === ".") continue;
    if (part === ".." && parts.length > 0 && parts.at(-1) !== "..") parts.pop();
    else if (part !== ".." || !whole.startsWith("/")) parts.push(part);
  }
  const joined = parts.join("/");
  return whole.startsWith("/") ? `/${joined}` : joined === "" ? "." : joined;
}

function isAbsolute(path: string): boolean {
  return path.startsWith("/") || /^[A-Za-z]:[\\/]/.test(path);
}

/** Windows writes backslashes after a drive letter; elsewhere a backslash is part of a name. */
function slashed(path: string): string {
  return /^[A-Za-z]:[\\/]/.test(path) ? path.replaceAll("\\", "/") : path;
}
