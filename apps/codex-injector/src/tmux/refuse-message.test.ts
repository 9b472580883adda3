import { expect, test } from "vitest";
import { refuseMessage } from "./deliver-by-tmux.ts";

const cases = [
  { message: "Checkpoint: run the tests.", fault: null },
  { message: "Two lines,\n\twith a tab and a line end.\n", fault: null },
  { message: "größer als ✅ 検査 👩‍💻", fault: null },
  { message: "Mail @someone about it!", fault: null },
  { message: "", fault: "empty" },
  { message: " \n\t", fault: "empty" },
  { message: "…?", fault: "empty" },
  { message: "!rm -rf x", fault: "command-prefix" },
  { message: " \n !rm -rf x", fault: "command-prefix" },
  { message: "/quit", fault: "command-prefix" },
  { message: "\t/quit", fault: "command-prefix" },
  { message: "@file please", fault: "command-prefix" },
  { message: "Done\u001B[201~!rm", fault: "control-character" },
  { message: "Done\rnow", fault: "control-character" },
  { message: "Done\u0003", fault: "control-character" },
  { message: "Done\u007F", fault: "control-character" },
  { message: "Done\u009B201~", fault: "control-character" },
  { message: "Look at @src/index.ts", fault: "open-mention" },
  { message: "Look at\n$skill", fault: "open-mention" },
  { message: "Look at @src/index.ts now", fault: null },
];
test.for(cases)("$message: $fault", ({ message, fault }) => {
  expect(refuseMessage(message)).toBe(fault);
});
