import { expect, test } from "vitest";
import type { FileEdit } from "./edits-of.ts";
import { explainText } from "./explain-text.ts";

const write = (text: string): FileEdit => ({ kind: "write", text });
const replace = (old: string, now: string, isEverywhere = false): FileEdit => ({
  kind: "replace",
  old,
  now,
  isEverywhere,
});
const patch = (...lines: string[]): FileEdit => ({
  kind: "patch",
  patch: ["*** Begin Patch", ...lines, ""].join("\n"),
});
const unknown: FileEdit = { kind: "unknown" };

interface Case {
  readonly is: string;
  readonly committed: string | null;
  readonly edits: readonly FileEdit[];
  readonly live: string | null;
  readonly isOwn: boolean;
}
const cases: Case[] = [
  { is: "a new file", committed: null, edits: [write("a\n")], live: "a\n", isOwn: true },
  { is: "a new file, then changed by somebody", committed: null, edits: [write("a\n")], live: "a\nb\n", isOwn: false },
  { is: "an edit", committed: "a\nb\n", edits: [replace("b", "c")], live: "a\nc\n", isOwn: true },
  { is: "an edit beside somebody's", committed: "a\nb\n", edits: [replace("b", "c")], live: "x\nc\n", isOwn: false },
  { is: "two edits", committed: "a\nb\n", edits: [replace("b", "c"), replace("a", "d")], live: "d\nc\n", isOwn: true },
  {
    is: "an edit that is committed, and another",
    committed: "a\nc\n",
    edits: [replace("b", "c"), replace("a", "d")],
    live: "d\nc\n",
    isOwn: true,
  },
  {
    is: "a file overwritten, whatever it was",
    committed: "x",
    edits: [replace("?", "!"), write("a")],
    live: "a",
    isOwn: true,
  },
  { is: "an edit taken back by somebody", committed: "a", edits: [replace("a", "b")], live: "a2", isOwn: false },
  { is: "everywhere", committed: "a a a", edits: [replace("a", "b", true)], live: "b b b", isOwn: true },
  { is: "an edit whose place is not clear", committed: "a a", edits: [replace("a", "b")], live: "b a", isOwn: false },
  { is: "special signs", committed: "x", edits: [replace("x", "$& $1 \\1 $$")], live: "$& $1 \\1 $$", isOwn: true },
  {
    is: "Windows' line breaks",
    committed: "a\r\nb\r\n",
    edits: [replace("a\nb", "c\nd")],
    live: "c\r\nd\r\n",
    isOwn: true,
  },
  { is: "a command in between", committed: "a", edits: [write("b"), unknown], live: "b", isOwn: false },
  { is: "written whole after a command", committed: "a", edits: [unknown, write("b")], live: "b", isOwn: true },
  {
    is: "a patch that adds",
    committed: null,
    edits: [patch("*** Add File: f.txt", "+one", "+two")],
    live: "one\ntwo\n",
    isOwn: true,
  },
  {
    is: "a patch that updates in two places",
    committed: "a\nb\nc\nd\ne\n",
    edits: [patch("*** Update File: f.txt", "@@", " a", "-b", "+B", "@@ c", " d", "-e", "+E", "+F")],
    live: "a\nB\nc\nd\nE\nF\n",
    isOwn: true,
  },
  {
    is: "a patch, then somebody",
    committed: "a\nb\n",
    edits: [patch("*** Update File: f.txt", "@@", "-b", "+B")],
    live: "a\nB\nmine\n",
    isOwn: false,
  },
  { is: "a patch that deletes", committed: "a\n", edits: [patch("*** Delete File: f.txt")], live: null, isOwn: true },
  {
    is: "a patch that moves it away",
    committed: "a\n",
    edits: [patch("*** Update File: f.txt", "*** Move to: g.txt", "@@", "-a", "+b")],
    live: null,
    isOwn: true,
  },
  { is: "a patch of another file", committed: "a", edits: [patch("*** Delete File: g.txt")], live: null, isOwn: false },
];
test.for(cases)("$is: own is $isOwn", ({ committed, edits, live, isOwn }) => {
  const isFile = (name: string) => name === "f.txt";
  expect(explainText({ committed, live, edits, isFile }).isOwn).toBe(isOwn);
});
