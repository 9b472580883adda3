import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { renderStatements } from "../../scripts/statements.ts";

test("the compiled statements are those of the queries; else run packages/store/scripts/write-statements.ts", () => {
  expect(readFileSync(new URL("./statements.generated.ts", import.meta.url), "utf8")).toBe(renderStatements());
});
