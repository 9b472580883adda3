import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { configDocs } from "../../scripts/config-docs.ts";
import { PRESET_NAMES, PRESETS } from "../presets/presets.ts";
import { SAVE_DEFAULTS } from "../save-rules.ts";
import { CHECK_IDS } from "../types.ts";
import { parseConfig } from "./parse-config.ts";

const docs = configDocs();

/** The cells of the row of a key, in the table under a heading. */
function rowOf(heading: string, key: string): readonly string[] {
  const section = docs.split(/^## /m).find((text) => text.startsWith(`${heading}\n`)) ?? "";
  const line = section.split("\n").find((text) => text.startsWith(`| \`${key}\``)) ?? "";
  return line.split(/(?<!\\)\|/).map((cell) => cell.trim());
}

test("docs/config.md is what the schema gives", () => {
  expect(readFileSync(new URL("../../../../docs/config.md", import.meta.url), "utf8")).toBe(docs);
});

test("every key says what it means", () => {
  const rows = docs.split("\n").filter((line) => line.startsWith("| `"));
  expect(rows.filter((row) => /\|\s*\|$/.test(row))).toEqual([]);
});

test("every observation and every preset has a row", () => {
  const told = [...CHECK_IDS.map((id) => rowOf("Observations", id)), ...PRESET_NAMES.map((id) => rowOf("Presets", id))];
  expect(told.map((cells) => cells.length > 1)).toEqual(told.map(() => true));
});

test("the example is a config", () => {
  const [, example = ""] = /```jsonc\n(.*?)```/s.exec(docs) ?? [];
  expect(parseConfig(example, "example")).toMatchObject({ ok: true, config: { preset: "generic" } });
});

describe("the defaults that are told are those that hold", () => {
  test.for(["untracked", "keepDays"] as const)("%s", (key) => {
    expect(new Set(Object.values(PRESETS).map((rules) => String(rules[key])))).toEqual(
      new Set([rowOf("Keys", key)[3]]),
    );
  });

  test.for(["mode", "threshold", "statusDocument", "protectedBranches", "push", "coAuthor"] as const)(
    "save.%s",
    (key) => {
      expect(rowOf("Saving", key)[3]).toBe([SAVE_DEFAULTS[key]].flat().join(", "));
    },
  );

  test.for(CHECK_IDS)("checks.%s", (id) => {
    expect(Object.values(PRESETS).map(({ checks }) => String(checks[id]))).toEqual(
      PRESET_NAMES.map(() => rowOf("Observations", id)[3]),
    );
  });
});
