import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { BEGIN, END, readSection, updateSection } from "./update-section.ts";

const text = (document: string | Buffer | null, body = "Body.") => {
  const update = updateSection(typeof document === "string" ? Buffer.from(document) : document, body);
  return update.ok ? update.bytes.toString() : update.problem;
};
const section = (body = "Body.", lineBreak = "\n") => [BEGIN, "## Last Session", "", body, END, ""].join(lineBreak);

describe("where the section goes", () => {
  const cases = [
    { to: "no document", before: null, after: section() },
    { to: "an empty one", before: "", after: section() },
    { to: "the end", before: "# Notes\n\nOld.\n", after: `# Notes\n\nOld.\n\n${section()}` },
    { to: "the end, without a last line break", before: "# Notes", after: `# Notes\n\n${section()}` },
    {
      to: "the end, in Windows' line breaks",
      before: "# Notes\r\n",
      after: `# Notes\r\n\r\n${section("Body.", "\r\n")}`,
    },
    { to: "its place", before: `a\n\n${section("Old.")}\nb\n`, after: `a\n\n${section()}\nb\n` },
    {
      to: "its place, in Windows' line breaks",
      before: `a\r\n\r\n${section("Old.\r\nx", "\r\n")}b\r\n`,
      after: `a\r\n\r\n${section("Body.", "\r\n")}b\r\n`,
    },
    { to: "an old section without markers", before: "# N\n\n## Last Session\n\nold\n", after: `# N\n\n${section()}` },
    {
      to: "an old section between others",
      before: "## A\n\n## Last Session\nold\n### Last Session\nold\n## B\nb\n",
      after: `## A\n\n${section()}\n## B\nb\n`,
    },
    {
      to: "the end, where the old section is only shown",
      before: "```md\n## Last Session\n```\n",
      after: `\`\`\`md\n## Last Session\n\`\`\`\n\n${section()}`,
    },
    {
      to: "the end, where markers are only shown",
      before: `~~~\n${BEGIN}\n~~~\n`,
      after: `~~~\n${BEGIN}\n~~~\n\n${section()}`,
    },
    {
      to: "the end, where the words stand in a sentence",
      before: `see ${BEGIN} here\n`,
      after: `see ${BEGIN} here\n\n${section()}`,
    },
    { to: "the end, after a mark of UTF-8", before: "\uFEFF# N\n", after: `\uFEFF# N\n\n${section()}` },
    {
      to: "a heading right after the mark of UTF-8",
      before: "\uFEFF## Last Session\nx\n",
      after: `\uFEFF\n\n${section()}`,
    },
  ];
  test.for(cases)("$to", ({ before, after }) => {
    expect(text(before)).toBe(after);
  });
});

describe("what is refused", () => {
  const cases = [
    { document: `${BEGIN}\nx\n`, problem: "malformed-markers" },
    { document: `x\n${END}\n`, problem: "malformed-markers" },
    { document: `${END}\n${BEGIN}\n`, problem: "malformed-markers" },
    { document: `${section()}${section()}`, problem: "malformed-markers" },
    { document: `${BEGIN}\n${BEGIN}\n${END}\n`, problem: "malformed-markers" },
    { document: section().replace("v1", "v2"), problem: "malformed-markers" },
    { document: `${BEGIN} trailing\n${END}\n`, problem: "malformed-markers" },
    { document: `${BEGIN}\n\`\`\`\n${END}\n`, problem: "malformed-markers" },
    { document: "## Last Session\na\n## Last Session\nb\n", problem: "several-sections" },
    { document: "text\n```sh\nnever closed\n", problem: "open-code-block" },
    { document: Buffer.from("\uFEFF# N\n", "utf16le"), problem: "not-text" },
    { document: "a\0b", problem: "not-text" },
    { document: Buffer.alloc(1024 * 1024 + 1, "x"), problem: "too-large" },
  ];
  test.for(cases)("$problem: $document", ({ document, problem }) => {
    expect(text(document)).toBe(problem);
  });
});

/** Pieces of documents that have gone wrong elsewhere. */
const pieces = fc.constantFrom(
  "# A\n",
  "## Last Sessions\n",
  "### Last Session\n",
  "plain $& $1 \\1 \\g<0> $$\n",
  "```\n## Last Session\n```\n",
  "~~~~js\n```\n~~~~\n",
  "\r\n",
  "line\r\n",
  "   \n",
  "    ## Last Session\n",
  "<!-- a comment -->\n",
  "\u00e9\u4e2d\ud83d\ude80\n",
  "no line break",
  "\uFEFF",
);
const documents = fc.array(pieces, { maxLength: 12 }).map((parts) => parts.join(""));
const bodies = fc
  .array(fc.constantFrom("- `$&`", "- \\1 $1 $`", "- plain", "- `a`, `b`", "- \u00e9\ud83d\ude80", ""), {
    minLength: 1,
    maxLength: 5,
  })
  .map((lines) => lines.join("\n"));

test("whatever stands outside the section keeps its bytes, and the section is there once, as it was given", () => {
  fc.assert(
    fc.property(documents, bodies, bodies, (document, body, next) => {
      const first = updateSection(Buffer.from(document), body);
      if (!first.ok || first.was === "adopted") return;
      const read = readSection(first.bytes);
      expect(read?.body).toBe(body);
      const second = updateSection(first.bytes, next);
      if (!second.ok) throw new Error(second.problem);
      expect(readSection(second.bytes)).toEqual({ body: next, around: read?.around });
      expect(first.bytes.toString().startsWith(document)).toBe(true);
      const again = updateSection(second.bytes, next);
      expect(again.ok && again.bytes.equals(second.bytes)).toBe(true);
    }),
    { numRuns: 2000 },
  );
});

test("bytes that are no UTF-8 stay as they are", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      const document = Buffer.from(bytes);
      const update = updateSection(document, "Body.");
      if (!update.ok) return;
      expect(update.bytes.subarray(0, document.length).equals(document)).toBe(true);
    }),
  );
});

test("a hundred updates leave one section", () => {
  let document: Buffer | null = Buffer.from("# Notes\n");
  for (let run = 0; run < 100; run += 1) {
    const update = updateSection(document, `- Run ${run}`);
    if (!update.ok) throw new Error(update.problem);
    document = update.bytes;
  }
  expect(document?.toString()).toBe(`# Notes\n\n${section("- Run 99")}`);
});
