import { describe, expect, test } from "vitest";
import { affordablePart, parseCommandLine } from "./parse-command-line.ts";
import { unwrap } from "./unwrap.ts";

const nested = (levels: number) => `${"{".repeat(levels)}${"}".repeat(levels)}`;

describe("how much of a line is parsed", () => {
  const cases = [
    { line: "a usual one", text: "cd api && uv run pytest -q | tail -3", left: "" },
    { line: "a file in a heredoc", text: `cat > a.js <<'E'\n${"if (a) { b(); }\n".repeat(3000)}E\nmake`, left: "" },
    { line: "a minified file", text: `echo '${"{a:{b:1}}".repeat(5000)}'`, left: "" },
    { line: "too long", text: "a".repeat(50_007), left: "a".repeat(7) },
    { line: "sums without an end", text: `${"$[1+".repeat(100)}$[x`, left: "$[x" },
    { line: "sums in sums", text: `${"$((".repeat(100)}$((x`, left: "$((x" },
    { line: "heredocs without an end", text: `${"cat <<E ".repeat(1000)}<<E x`, left: "<<E x" },
    { line: "a word of open braces", text: `echo ${"{a,".repeat(100)}{b`, left: "{b" },
    { line: "braces in as many words", text: "{a, ".repeat(5000), left: "" },
    { line: "braces that are closed again", text: "{a}".repeat(300), left: "" },
    { line: "braces of which every other one is closed", text: "{{}".repeat(100), left: "{}" },
    { line: "braces that end with their word", text: `${"{a,".repeat(99)} ${"{a,".repeat(99)}`, left: "" },
    { line: "a hundred braces in one another", text: nested(100), left: "" },
    { line: "more braces in one another", text: nested(101), left: `{${"}".repeat(101)}` },
  ];
  test.for(cases)("$line", ({ text, left }) => {
    expect(affordablePart(text)).toBe(text.slice(0, text.length - left.length));
  });
});

test("of a line that is cut off, nothing is sure to have succeeded", () => {
  const line = `make restart && make status\n${"$[".repeat(200)}`;
  expect(parseCommandLine(line).slice(0, 2)).toMatchObject([
    { argv: ["make", "restart"], maskedBy: "syntax" },
    { argv: ["make", "status"], maskedBy: "syntax" },
  ]);
  expect(parseCommandLine(`make restart${" ".repeat(50_000)}; true`)).toMatchObject([{ maskedBy: "syntax" }]);
});

test("beyond a thousand commands none is seen", () => {
  expect(parseCommandLine("a;".repeat(3000))).toHaveLength(1000);
});

test("a folder longer than any system takes is not known", () => {
  const commands = parseCommandLine(`${"cd abcdefg && ".repeat(600)}make`);
  expect(commands.map(({ folder }) => folder?.length ?? null).findIndex((length) => length === null)).toBe(513);
  expect(commands.at(-1)).toMatchObject({ argv: ["make"], folder: null });
});

describe("wrappers are taken off by the dozen, not by the thousand", () => {
  const cases = [
    { words: "sudo env A=b B=c nice -n 5 timeout 5 make restart", argv: "make restart" },
    { words: "sudo -u me -- make", argv: "make" },
    { words: `${"sudo ".repeat(30)}make`, argv: "make" },
    { words: `${"sudo ".repeat(40)}make`, argv: `${"sudo ".repeat(8)}make` },
    { words: `env ${"A=b ".repeat(40)}make`, argv: "make" },
  ];
  test.for(cases)("$words", ({ words, argv }) => {
    expect(unwrap(words.split(" ")).join(" ")).toBe(argv);
  });
});
