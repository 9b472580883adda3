import { expect, test } from "vitest";
import { parseConfig } from "./parse-config.ts";

const glob = (text: string) => JSON.stringify({ docs: [text] });

const cases = [
  {
    config: "brackets without an end",
    text: "[".repeat(100_000),
    problem: { key: "", expected: "at most 50 levels of brackets", found: "more" },
  },
  {
    config: "objects in objects",
    text: `${'{"a":'.repeat(10_000)}1${"}".repeat(10_000)}`,
    problem: { key: "", expected: "at most 50 levels of brackets", found: "more" },
  },
  {
    config: "a text as long as a book",
    text: " ".repeat(100_001),
    problem: { key: "", expected: "at most 100000 characters", found: "100001" },
  },
  {
    config: "a long glob",
    text: glob("a".repeat(301)),
    problem: { key: "docs[0]", expected: "a glob of at most 300 characters", found: `"${"a".repeat(301)}"` },
  },
  {
    config: "a glob of many stars",
    text: glob("*a".repeat(7)),
    problem: { key: "docs[0]", expected: "a glob with at most 6 stars", found: `"${"*a".repeat(7)}"` },
  },
  {
    config: "a group that may repeat",
    text: glob("+(a|aa)b"),
    problem: { key: "docs[0]", expected: "a glob without a group that may repeat", found: '"+(a|aa)b"' },
  },
];
test.for(cases)("$config", ({ text, problem }) => {
  expect(parseConfig(text, "f")).toEqual({ ok: false, problems: [{ file: "f", ...problem }] });
});

test("levels that are left again do not add up", () => {
  const isTooDeep = (text: string) => JSON.stringify(parseConfig(text, "f")).includes("levels of brackets");
  const nested = (levels: number) => `${"[".repeat(levels)}${"]".repeat(levels)}`;
  const after = `{ "docs": [${'["a"], '.repeat(60)}{}], "categories": [`;
  expect([48, 49].map((levels) => isTooDeep(`${after}${nested(levels)}] }`))).toEqual([false, true]);
  expect(isTooDeep(JSON.stringify({ categories: Array.from({ length: 60 }, () => ({ id: "a" })) }))).toBe(false);
});

test("brackets in texts and comments are no levels", () => {
  const many = "[{".repeat(100);
  expect(parseConfig(`/* ${many} */ { "docs": ["${"a".repeat(300)}"] } // ${many}`, "f")).toMatchObject({ ok: true });
  expect(parseConfig(`{ "actions": [{ "id": "a", "steps": ["echo '${many}'"] }] }`, "f")).toMatchObject({ ok: true });
});
