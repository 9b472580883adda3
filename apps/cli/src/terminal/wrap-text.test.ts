import { expect, test } from "vitest";
import { wrapText } from "./layout.ts";

const cases = [
  { title: "a text that fits", text: "one two", lines: ["- one two"] },
  { title: "a text that does not", text: "one two three", lines: ["- one two", "  three"] },
  { title: "a word that is too long", text: "a verylongword b", lines: ["- a", "  verylongword", "  b"] },
  { title: "wide characters", text: "漢字 漢字 漢字", lines: ["- 漢字", "  漢字", "  漢字"] },
  { title: "nothing", text: "", lines: ["-"] },
];
test.for(cases)("$title", ({ text, lines }) => {
  expect(wrapText(text, { columns: 10, first: "- " })).toBe(lines.map((line) => `${line}\n`).join(""));
});

const paths = [
  {
    title: "a path that is too long is broken behind a slash, inside its column",
    text: "see /home/me/projects/application/settings.json, twice",
    lines: ["- see /home/me/projects/", "  application/", "  settings.json, twice"],
  },
  {
    title: "a list that is too long is broken behind a comma",
    text: "files **/*.{js,jsx,mjs,cjs,ts,tsx,mts,cts}",
    lines: ["- files **/*.{js,jsx,", "  mjs,cjs,ts,tsx,mts,", "  cts}"],
  },
  { title: "a path that fits is not", text: "see the file a/b/c/d.json", lines: ["- see the file", "  a/b/c/d.json"] },
  {
    title: "what is there to be copied is not",
    text: "run `/home/me/projects/application/run`",
    lines: ["- run", "  `/home/me/projects/application/run`"],
  },
];
test.for(paths)("$title", ({ text, lines }) => {
  expect(wrapText(text, { columns: 24, first: "- " })).toBe(lines.map((line) => `${line}\n`).join(""));
});
