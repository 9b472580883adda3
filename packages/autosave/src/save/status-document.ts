import { hash } from "node:crypto";
import { lstatSync, readFileSync, realpathSync, statSync } from "node:fs";
import { join, relative, sep } from "node:path";
import type { SaveRules } from "@agent-checkpoint/categories";
import { errorMessage } from "@agent-checkpoint/files";
import { readCommitted, runGitAsUser } from "@agent-checkpoint/git";
import { readSection, updateSection } from "../document/update-section.ts";
import { explainText } from "../ledger/explain-text.ts";
import type { WrittenFile } from "../ledger/session-writes.ts";
import { isStaged } from "./select-files.ts";

/** The plan for the status document; `present` is its current section. */
export type DocumentPlan =
  | {
      readonly status: "planned";
      readonly path: string;
      readonly present: string | null;
      readonly before: Buffer | null;
      readonly after: Buffer;
      /** Whether git does not track it yet, or ignores it. */
      readonly isNew: boolean;
      readonly isIgnored: boolean;
    }
  | {
      readonly status: "left-alone" | "refused";
      readonly path: string;
      readonly present: string | null;
      readonly detail: string;
    };

interface DocumentFacts {
  readonly rules: SaveRules;
  readonly section: string;
  readonly head: string | null;
  readonly written: ReadonlyMap<string, WrittenFile>;
}

/** Plans the status document: refused if its markers are malformed, left alone if someone else has changed it. */
export async function planDocument(
  root: string,
  { rules, section, head, written }: DocumentFacts,
): Promise<DocumentPlan> {
  const name = rules.statusDocument;
  const found = findDocument(root, name);
  if (!found.ok) return { status: "refused", path: name, present: null, detail: found.detail };
  const { path, bytes } = found;
  const present = bytes === null ? null : (readSection(bytes)?.body ?? null);
  const update = updateSection(bytes, section);
  if (!update.ok) return { status: "refused", path, present, detail: `${path}: ${update.problem}` };
  const isIgnored = (await runGitAsUser(["check-ignore", "--quiet", "--", path], { cwd: root })).ok;
  const committed = head === null ? null : await readCommitted(root, head, path);
  const isOthers = !isIgnored && bytes !== null && (await isChangedByOthers(root, { path, bytes, committed, written }));
  if (isOthers) return { status: "left-alone", path, present, detail: `${join(root, path)} has changes of a person's` };
  const isTracked = (await runGitAsUser(["ls-files", "--error-unmatch", "--", path], { cwd: root })).ok;
  return { status: "planned", path, present, before: bytes, after: update.bytes, isNew: !isTracked, isIgnored };
}

/** Whether more than the section differs from the commit, and not by the agent's own hand, or something of it is staged. */
async function isChangedByOthers(
  root: string,
  facts: {
    readonly path: string;
    readonly bytes: Buffer;
    readonly committed: Buffer | null;
    readonly written: DocumentFacts["written"];
  },
): Promise<boolean> {
  const { path, bytes, committed, written } = facts;
  const write = written.get(path);
  if (committed?.equals(bytes) !== true && (await isStaged(root, path))) return true;
  const live = around(bytes);
  const before = committed === null ? null : around(committed);
  if (before !== null && live.equals(before)) return false;
  if (write === undefined) return true;
  const texts = [
    { committed, live: bytes },
    { committed: before, live },
  ];
  return !texts.some(
    (pair) =>
      explainText({ ...write, committed: pair.committed?.toString("utf8") ?? null, live: pair.live.toString("utf8") })
        .isOwn,
  );
}

/** A document without its section. */
function around(bytes: Buffer): Buffer {
  return readSection(bytes)?.around ?? bytes;
}

/** The status document as it is on disk. */
type StatusDocument =
  | {
      readonly ok: true;
      /** Relative to the root, behind links. */
      readonly path: string;
      /** Null if it does not exist yet. */
      readonly bytes: Buffer | null;
    }
  | { readonly ok: false; readonly detail: string };

/** Finds the document; a link is followed inside the repository only. */
function findDocument(root: string, name: string): StatusDocument {
  const named = join(root, name);
  const stats = lstatSync(named, { throwIfNoEntry: false });
  if (stats === undefined) return { ok: true, path: name, bytes: null };
  try {
    const real = realpathSync(named);
    const path = relative(realpathSync(root), real);
    const isInside = path !== "" && !path.startsWith("..") && !path.split(sep).includes(".git");
    if (!isInside) return { ok: false, detail: `${name} is a link out of the repository` };
    if (!statSync(real).isFile()) return { ok: false, detail: `${name} is no file` };
    return { ok: true, path: path.split(sep).join("/"), bytes: readFileSync(real) };
  } catch (error) {
    return { ok: false, detail: `${name} cannot be read: ${errorMessage(error)}` };
  }
}

/** Distinguishes two states of a document. */
export function hashOf(bytes: Buffer | null): string | null {
  return bytes === null ? null : hash("sha256", bytes);
}
