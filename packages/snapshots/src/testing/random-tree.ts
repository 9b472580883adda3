import { chmodSync, lstatSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import fc from "fast-check";
import { runTestGit } from "./workspace.ts";

/** Something to put somewhere; names are bytes, one character each. */
export type Thing =
  | { readonly kind: "file"; readonly path: string; readonly content: Uint8Array; readonly mode: number }
  | { readonly kind: "link"; readonly path: string; readonly target: string }
  | { readonly kind: "folder"; readonly path: string; readonly mode: number }
  | { readonly kind: "repository"; readonly path: string; readonly isCommitted: boolean }
  | { readonly kind: "nothing"; readonly path: string };

/** Names that programs stumble over. */
const NAMES = [
  "a",
  "b.txt",
  "c d",
  'q"uote',
  "new\nline",
  "-n",
  ":(glob)x",
  "back\\slash",
  "a[1]",
  "*",
  "gr\xc3\xb6\xc3\x9fe",
  "\xff\xfe",
  "#",
  "'",
  "$(x)",
];

const name = fc.constantFrom(...NAMES);
const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((parts) => parts.join("/"));
const content = fc.oneof(
  fc.uint8Array({ maxLength: 64 }),
  fc.constantFrom("", "text\n", "crlf\r\n", "no end", "text\nmore\n").map((text) => Buffer.from(text)),
);
const file = fc.record({
  kind: fc.constant("file" as const),
  path,
  content,
  mode: fc.constantFrom(0o644, 0o755, 0o600, 0o444, 0o640),
});
const link = fc.record({
  kind: fc.constant("link" as const),
  path,
  target: fc.constantFrom("a", "nowhere", "/etc/hosts", "../../outside", "\xff"),
});
const folder = fc.record({ kind: fc.constant("folder" as const), path, mode: fc.constantFrom(0o755, 0o700, 0o555) });
const repository = fc.record({ kind: fc.constant("repository" as const), path: name, isCommitted: fc.boolean() });
const nothing = fc.record({ kind: fc.constant("nothing" as const), path });

/** What a folder may hold. */
export const someThings: fc.Arbitrary<readonly Thing[]> = fc.array(
  fc.oneof(
    { arbitrary: file, weight: 8 },
    { arbitrary: link, weight: 2 },
    { arbitrary: folder, weight: 1 },
    { arbitrary: repository, weight: 1 },
  ),
  { minLength: 1, maxLength: 12 },
);

/** What an agent may do to it. */
export const someMutations: fc.Arbitrary<readonly Thing[]> = fc.array(
  fc.oneof(
    { arbitrary: file, weight: 6 },
    { arbitrary: nothing, weight: 4 },
    { arbitrary: link, weight: 2 },
    { arbitrary: folder, weight: 2 },
  ),
  { minLength: 1, maxLength: 10 },
);

/** Puts things below a folder, each in the place of what was there; a repository is never broken. */
export function put(top: string, things: readonly Thing[]): void {
  for (const thing of things) {
    if (isInGitOrRepository(top, thing.path)) continue;
    const at = Buffer.from(`${top}/${thing.path}`, "latin1");
    makeWay(top, thing.path);
    if (thing.kind === "folder") {
      if (lstatSync(at, { throwIfNoEntry: false })?.isDirectory() !== true) clear(at);
      mkdirSync(at, { recursive: true });
      chmodSync(at, thing.mode);
      continue;
    }
    clear(at);
    if (thing.kind === "file") {
      writeFileSync(at, thing.content);
      chmodSync(at, thing.mode);
    } else if (thing.kind === "link") symlinkSync(Buffer.from(thing.target, "latin1"), at);
    else if (thing.kind === "repository") makeRepository(at, thing.isCommitted);
  }
}

/** A repository would have to be replaced whole, which is refused elsewhere; files inside it may change. */
function isInGitOrRepository(top: string, path: string): boolean {
  const at = Buffer.from(`${top}/${path}/.git`, "latin1");
  try {
    return lstatSync(at, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

/** Turns whatever is on the way into folders. */
function makeWay(top: string, path: string): void {
  const parts = path.split("/").slice(0, -1);
  for (const index of parts.keys()) {
    const at = Buffer.from(`${top}/${parts.slice(0, index + 1).join("/")}`, "latin1");
    if (lstatSync(at, { throwIfNoEntry: false })?.isDirectory() === true) continue;
    clear(at);
    mkdirSync(at);
  }
}

function clear(at: Buffer): void {
  rmSync(at, { recursive: true, force: true });
}

function makeRepository(at: Buffer, isCommitted: boolean): void {
  const text = at.toString("utf8");
  if (text.includes("\uFFFD")) return;
  mkdirSync(text);
  runTestGit(text, ["init", "--quiet"]);
  writeFileSync(`${text}/inner.txt`, "inner\n");
  if (!isCommitted) return;
  runTestGit(text, ["add", "--all"]);
  runTestGit(text, ["commit", "--quiet", "--message", "inner"]);
}
