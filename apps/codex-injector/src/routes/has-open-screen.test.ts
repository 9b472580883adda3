import { expect, test } from "vitest";
import { isScreen } from "./choose-route.ts";

const lines = [
  { line: "pts/3    /usr/local/bin/codex", is: true },
  { line: "pts/3    codex --no-daemon", is: true },
  { line: "ttys004  node /opt/lib/node_modules/.bin/codex resume --last", is: true },
  { line: "pts/3    codex exec do it", is: false },
  { line: "?        codex app-server --listen unix:// --managed-daemon", is: false },
  { line: "pts/3    codex app-server", is: false },
  { line: "pts/3    vim codex.md", is: false },
  { line: "", is: false },
];
test.for(lines)("$line: $is", ({ line, is }) => {
  expect(isScreen(line)).toBe(is);
});
