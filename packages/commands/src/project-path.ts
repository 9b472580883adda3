/** Where the project lies, to tell its files from others. */
export interface ProjectPlace {
  /** The repository's root. */
  readonly projectPath: string;
  /** Other spellings of the root, such as its real path behind a link. */
  readonly projectAliases?: readonly string[] | undefined;
  /** When changed files of the project were last written, in milliseconds; absent if that was not looked up. */
  readonly writtenAt?: ReadonlyMap<string, number> | undefined;
}

/** A path as git writes it: relative to the project's root, with forward slashes; null for a path outside. */
export function toProjectPath(path: string, place: ProjectPlace, folder = "."): string | null {
  const roots = [place.projectPath, ...(place.projectAliases ?? [])];
  const absolute = absolutePath(path, place, folder);
  for (const root of roots) {
    const inner = below(absolute, canonical(root, place.projectPath));
    if (inner !== null && inner !== "") return inner;
  }
  return null;
}

/** Whether a folder, absolute or relative to the project, lies in the project. */
export function isInProject(folder: string, place: ProjectPlace): boolean {
  return toProjectPath(joinPath(folder, "x"), place) !== null;
}

/** An absolute path, in the one spelling that paths are compared in. */
export function absolutePath(path: string, { projectPath }: ProjectPlace, folder = "."): string {
  return canonical(joinPath(joinPath(projectPath, folder), path), projectPath);
}

/** A path relative to a folder: empty for the folder itself, null for a path outside. Windows ignores case. */
export function below(path: string, folder: string): string | null {
  const prefix = folder.endsWith("/") ? folder : `${folder}/`;
  const same = DRIVE.test(prefix)
    ? (one: string, other: string) => one.toLowerCase() === other.toLowerCase()
    : (one: string, other: string) => one === other;
  if (same(path, folder) || same(`${path}/`, prefix)) return "";
  return same(path.slice(0, prefix.length), prefix) ? path.slice(prefix.length) : null;
}

/** Joins two paths and takes out `.` and `..`; an absolute second path stands alone. */
export function joinPath(base: string, path: string): string {
  const whole = isAbsolute(path) ? slashed(path) : slashed(`${base}/${path}`);
  const parts: string[] = [];
  for (const part of whole.split("/")) {
    if (part === "" || part === ".") continue;
    if (part === ".." && parts.length > 0 && parts.at(-1) !== "..") parts.pop();
    else if (part !== ".." || !whole.startsWith("/")) parts.push(part);
  }
  const joined = parts.join("/");
  return whole.startsWith("/") ? `/${joined}` : joined === "" ? "." : joined;
}

const DRIVE = /^[A-Za-z]:[\\/]/;

function isAbsolute(path: string): boolean {
  return path.startsWith("/") || DRIVE.test(path) || /^~(?:$|\/)/.test(path);
}

/** Windows writes backslashes after a drive letter; elsewhere a backslash is part of a name. */
function slashed(path: string): string {
  return DRIVE.test(path) ? path.replaceAll("\\", "/") : path;
}

/** `~` is the home that the project lies in; Git's shell and WSL write `/d/x` and `/mnt/d/x` for `D:\x`. */
function canonical(path: string, projectPath: string): string {
  const home = /^(?:\/(?:home|Users)\/[^/]+|\/root|[A-Za-z]:\/Users\/[^/]+)/i.exec(slashed(projectPath))?.[0];
  const whole = slashed(home === undefined ? path : path.replace(/^~(?=$|\/)/, home));
  return DRIVE.test(projectPath) ? whole.replace(/^(?:\/mnt|\/cygdrive)?\/([A-Za-z])(?=$|\/)/, "$1:") : whole;
}
