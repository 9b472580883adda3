import { join } from "node:path";
import type { SaveRules } from "@agent-checkpoint/categories";
import { readSection, updateSection } from "../document/update-section.ts";
import { readCommitted } from "../git/read-texts.ts";
import { runGit } from "../git/run-git.ts";
import { explainText } from "../ledger/explain-text.ts";
import type { WrittenFile } from "../ledger/session-writes.ts";
import { isStaged } from "./select-files.ts";
import { findDocument } from "./status-document.ts";

/** What is to become of the status document; `present` is the section it has now. */
export type DocumentPlan =
  | {
      readonly status: "planned";
      readonly path: string;
      readonly present: string | null;
      readonly before: Buffer | null;
      readonly after: Buffer;
      /** Whether git does not know it yet, or is told not to. */
      readonly isNew: boolean;
      readonly isIgnored: boolean;
    }
  | {
      readonly status: "left-alone" | "refused";
      readonly path: string;
      readonly present: string | null;
      readonly detail: string;
    };

export interface DocumentFacts {
  readonly rules: SaveRules;
  readonly section: string;
  readonly head: string | null;
  readonly written: ReadonlyMap<string, WrittenFile>;
}

/** Plans the status document: refused where its markers are malformed, left alone where a person has changed it. */
export async function planDocument(
  root: string,
  { rules, section, head, written }: DocumentFacts,
): Promise<DocumentPlan> {
  const name = rules.statusDocument;
  const found = findDocument(root, name);
  if ("problem" in found) return { status: "refused", path: name, present: null, detail: found.problem };
  const { path, bytes } = found;
  const present = bytes === null ? null : (readSection(bytes)?.body ?? null);
  const update = updateSection(bytes, section);
  if (!update.ok) return { status: "refused", path, present, detail: `${path}: ${update.problem}` };
  const isIgnored = (await runGit(["check-ignore", "--quiet", "--", path], { cwd: root })).exitCode === 0;
  const committed = head === null ? null : await readCommitted(root, head, path);
  const isOthers = !isIgnored && bytes !== null && (await isChangedByOthers(root, { path, bytes, committed, written }));
  if (isOthers) return { status: "left-alone", path, present, detail: `${join(root, path)} has changes of a person's` };
  const isTracked = (await runGit(["ls-files", "--error-unmatch", "--", path], { cwd: root })).exitCode === 0;
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
