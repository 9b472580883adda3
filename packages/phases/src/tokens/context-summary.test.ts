import { execFileSync } from "node:child_process";
import { createRequire } from "node:module";
import { describe, expect, test } from "vitest";
import { countTokens, estimateTokens, validateContextSummary } from "./context-summary.ts";

import fc from "fast-check";

const words = (count: number) => Array.from({ length: count }, (_, at) => `word${at}`).join(" ");

describe("countTokens", () => {
  const cases = [
    { text: "", tokens: 0 },
    { text: " \n\t ", tokens: 0 },
    { text: "one", tokens: 1 },
    { text: "  one\ttwo\nthree  ", tokens: 3 },
    { text: "a\u00A0b", tokens: 2 },
    { text: "漢字かな交じり文", tokens: 1 },
    { text: "x".repeat(20_000), tokens: 1 },
  ];
  test.for(cases)("$tokens", ({ text, tokens }) => expect(countTokens(text)).toBe(tokens));

  test("is the rule as it is written down", () => {
    fc.assert(fc.property(fc.string(), (text) => countTokens(text) === text.split(/\s+/).filter(Boolean).length));
  });
});

describe("estimateTokens", () => {
  const cases = [
    { text: "", tokens: 0 },
    { text: "hello world", tokens: 2 },
    { text: "the end <|endoftext|> is text", tokens: 11 },
    { text: "漢".repeat(600), tokens: 600 },
    { text: "x".repeat(20_000), tokens: 2_500 },
  ];
  test.for(cases)("$text", ({ text, tokens }) => {
    expect(Math.abs(estimateTokens(text) - tokens)).toBeLessThanOrEqual(tokens * 0.05);
  });

  test("agrees with the library on text of ordinary words", () => {
    const library = createRequire(import.meta.url)("gpt-tokenizer/encoding/o200k_base") as {
      countTokens: (text: string) => number;
    };
    const text = "Created src/lib/auth.ts:\n\n  - `signToken()` and   verifyToken, 6 tests pass (87 %).\n".repeat(30);
    expect(estimateTokens(text)).toBe(library.countTokens(text));
  });

  test("is never more than the bytes, which is why a short summary needs no tokenizer", () => {
    const text = fc.string({ unit: "binary", maxLength: 200 });
    fc.assert(fc.property(text, (given) => estimateTokens(given) <= Buffer.byteLength(given)));
  });

  test("a word of 200,000 characters takes no time to speak of", { timeout: 10_000 }, () => {
    expect(estimateTokens("a".repeat(200_000))).toBeGreaterThan(20_000);
  });
});

describe("validateContextSummary", () => {
  const limit = 500;
  const valid = [
    { name: "nothing", summary: "", tokenCount: 0 },
    { name: "500 words", summary: words(500), tokenCount: 500 },
    { name: "500 words and white space", summary: ` ${words(500)}\n`, tokenCount: 500 },
    { name: "500 long words", summary: Array(500).fill("implementation").join(" "), tokenCount: 500 },
    { name: "CJK that is small", summary: "実装は完了した。".repeat(60), tokenCount: 1 },
  ];
  test.for(valid)("$name", ({ summary, tokenCount }) => {
    expect(validateContextSummary(summary)).toEqual({ valid: true, tokenCount, limit });
  });

  const long = [
    { name: "501 words", summary: words(501), tokenCount: 501, error: "500 token limit (actual: 501 tokens)" },
    { name: "CJK", summary: "漢".repeat(6000), tokenCount: 1, error: "1500 estimated tokens (estimated: 6000 tokens)" },
    {
      name: "one word",
      summary: "x".repeat(20_000),
      tokenCount: 1,
      error: "1500 estimated tokens (estimated: 2500 tokens)",
    },
    { name: "a line", summary: "-".repeat(20_000), tokenCount: 1, error: "12000 bytes (actual: 20000 bytes)" },
    { name: "white space", summary: " ".repeat(20_000), tokenCount: 0, error: "12000 bytes (actual: 20000 bytes)" },
  ];
  test.for(long)("$name", ({ summary, tokenCount, error }) => {
    expect(validateContextSummary(summary)).toEqual({
      valid: false,
      tokenCount,
      limit,
      error: `Context summary exceeds ${error}`,
    });
  });

  const others = [
    { summary: { a: 1 }, kind: "object" },
    { summary: ["a"], kind: "array" },
    { summary: null, kind: "null" },
    { summary: undefined, kind: "undefined" },
    { summary: 7, kind: "number" },
  ];
  test.for(others)("$kind is no summary", ({ summary, kind }) => {
    const error = `Context summary must be a string (found ${kind})`;
    expect(validateContextSummary(summary)).toEqual({ valid: false, tokenCount: 0, limit, error });
  });

  test("another limit is the one that is spoken of", () => {
    expect(validateContextSummary("a b c", 2)).toEqual({
      valid: false,
      tokenCount: 3,
      limit: 2,
      error: "Context summary exceeds 2 token limit (actual: 3 tokens)",
    });
  });

  test.for([Number.NaN, 0, -1, 1.5, Number.POSITIVE_INFINITY])("a limit of %s is the usual one", (maxTokens) => {
    expect(validateContextSummary("a", maxTokens).limit).toBe(500);
  });
});

test("the tokenizer is loaded for a long summary and for no other", () => {
  const source = JSON.stringify(new URL("./context-summary.ts", import.meta.url).href);
  const program = `
    const { validateContextSummary } = await import(${source});
    const { createRequire } = await import("node:module");
    const isLoaded = () => Object.keys(createRequire(${source}).cache).some((path) => path.includes("gpt-tokenizer"));
    const seen = [isLoaded()];
    for (const length of [1500, 1501]) { validateContextSummary("x".repeat(length)); seen.push(isLoaded()); }
    console.log(JSON.stringify(seen));`;
  const flags = ["--experimental-strip-types", "--no-warnings", "--input-type=module"];
  const seen = execFileSync(process.execPath, [...flags, "--eval", program], { encoding: "utf8" });
  expect(JSON.parse(seen)).toEqual([false, false, true]);
});

test("without the tokenizer, the bytes are an estimate", () => {
  const source = JSON.stringify(new URL("./context-summary.ts", import.meta.url).href);
  const program = `
    const { Module } = await import("node:module");
    const resolve = Module._resolveFilename;
    Module._resolveFilename = (name, ...rest) => {
      if (name.startsWith("gpt-tokenizer")) throw new Error("not installed");
      return resolve(name, ...rest);
    };
    const { estimateTokens, validateContextSummary } = await import(${source});
    const texts = ["x".repeat(4 * 1501), "word ".repeat(400)];
    console.log(JSON.stringify([texts.map(estimateTokens), texts.map((text) => validateContextSummary(text).valid)]));`;
  const flags = ["--experimental-strip-types", "--no-warnings", "--input-type=module"];
  const seen = execFileSync(process.execPath, [...flags, "--eval", program], { encoding: "utf8" });
  expect(JSON.parse(seen)).toEqual([
    [1501, 500],
    [false, true],
  ]);
});
