import { realpathSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";

/**
 * The path of the running node to write into settings, so that it is still there after updates.
 * A path with a version number in it is gone with that version. Where one without leads to the same file, that one is
 * written: first the link that the installer keeps for this purpose, then one on the PATH. Where there is none, as with
 * nvm, the path with the version is written, and a missing node is a clean pass.
 */
export function stableNodePath(execPath: string, searchPath: string | undefined): string {
  const folders = (searchPath ?? "").split(delimiter).filter(isAbsolute);
  return firstStable(execPath, [...installerLinks(execPath), ...folders.map((folder) => join(folder, "node"))]);
}

/** The path of a file of an npm package to write into settings; pnpm keeps each version in a folder of its own. */
export function stablePackagePath(path: string): string {
  const besideVersions = path.replace(/[/\\]\.pnpm[/\\][^/\\]+(?=[/\\]node_modules[/\\])/, "");
  return firstStable(path, [...installerLinks(path), besideVersions]);
}

/** Whether a program lies in the cache of a runner such as npx, which may delete it at any time. */
export function isInRunnerCache(path: string): boolean {
  return /[/\\](?:_npx|dlx(?:-[^/\\]*)?|bunx-[^/\\]*)[/\\]/.test(path);
}

/** Links that an installer points to the version in use; the first part of each is what the path with a version has. */
const INSTALLER_LINKS: readonly (readonly [RegExp, string])[] = [
  // Homebrew
  [/^(.*)\/Cellar\/([^/]+)\/[^/]+\/(.*)$/, "$1/opt/$2/$3"],
  // mise and asdf keep a link per major version
  [/^(.*\/installs\/node(?:js)?)\/(\d+)\.\d+\.\d+\/(.*)$/, "$1/$2/$3"],
  // fnm
  [/^(.*)\/node-versions\/[^/]+\/installation\/(.*)$/, "$1/aliases/default/$2"],
  // nvm, where NVM_SYMLINK_CURRENT is set
  [/^(.*)\/versions\/node\/[^/]+\/(.*)$/, "$1/current/$2"],
  // snap
  [/^(\/snap\/[^/]+)\/\d+\/(.*)$/, "$1/current/$2"],
];

function installerLinks(path: string): readonly string[] {
  return INSTALLER_LINKS.flatMap(([pattern, link]) => (pattern.test(path) ? [path.replace(pattern, link)] : []));
}

function firstStable(path: string, candidates: readonly string[]): string {
  if (!isFleeting(path)) return path;
  const real = realPath(path);
  return candidates.find((candidate) => !isFleeting(candidate) && realPath(candidate) === real) ?? path;
}

/** Whether a path disappears by itself: with a version, a login session or a project. */
function isFleeting(path: string): boolean {
  return VERSION.test(path) || SESSION.test(path);
}

const VERSION = /[/\\@_-]v?\d+\.\d+\.\d+/;
const SESSION = /[/\\]fnm_multishells[/\\]|^\/run\/user\/|^\/snap\/[^/]+\/\d+\/|[/\\]node_modules[/\\]\.bin[/\\]/;

function realPath(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    return null;
  }
}
