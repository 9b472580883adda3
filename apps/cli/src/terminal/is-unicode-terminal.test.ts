import { expect, test } from "vitest";
import { isUnicodeTerminal } from "./style.ts";

const cases = [
  { env: { LANG: "en_US.UTF-8" }, platform: "linux", isUnicode: true },
  { env: { LANG: "de_DE.utf8" }, platform: "linux", isUnicode: true },
  { env: { LANG: "en_US.UTF-8", LC_ALL: "C" }, platform: "linux", isUnicode: false },
  { env: { LANG: "C", LC_CTYPE: "C.UTF-8" }, platform: "linux", isUnicode: true },
  { env: {}, platform: "linux", isUnicode: false },
  { env: {}, platform: "darwin", isUnicode: true },
] as const;
test.for(cases)("$env on $platform: $isUnicode", ({ env, platform, isUnicode }) => {
  expect(isUnicodeTerminal(env, platform)).toBe(isUnicode);
});
