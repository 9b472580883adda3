import { expect, test } from "vitest";
import * as redaction from "./index.ts";

test("the public names", () => {
  expect(Object.keys(redaction).toSorted()).toEqual(["REDACTED", "redact", "redactJson", "redactLine"]);
});
