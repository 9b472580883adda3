import { expect, test } from "vitest";
import { digest } from "./find-turns.ts";

test.for(["abc", " abc\n"])(
  "is the beginning of the SHA-256 of a text without the white space around it: %j",
  (text) => {
    expect(digest(text)).toBe("ba7816bf8f01cfea");
  },
);
