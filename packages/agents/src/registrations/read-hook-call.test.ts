import { expect, test } from "vitest";
import { userCommand } from "../command/hook-command.ts";
import { readHookCall } from "./read-hook-call.ts";

const own = { args: "--agent claude", agent: "claude", isWrittenByInit: false, node: null, program: null };

const calls = [
  {
    command: userCommand({ node: "/opt/my node", program: "/opt/x/checkpoint-hook.cjs" }, "--agent claude"),
    call: { ...own, isWrittenByInit: true, node: "/opt/my node", program: "/opt/x/checkpoint-hook.cjs" },
  },
  { command: "checkpoint-hook --agent claude", call: own },
  { command: "'/usr/bin/node' '/opt/checkpoint-hook.cjs' --agent claude", call: own },
  { command: "CHECKPOINT_HOME=/x node ./checkpoint-hook.cjs --agent=claude", call: { ...own, args: "--agent=claude" } },
  { command: "notify-send x; checkpoint-hook --agent claude 2>/dev/null", call: own },
  { command: "checkpoint-hook --agent cursor", call: { ...own, args: "--agent cursor", agent: null } },
];
test.for(calls)("$command", ({ command, call }) => {
  expect(readHookCall(command)).toEqual(call);
});

const others = [
  "echo done",
  "checkpoint-hook",
  "checkpoint-hooks --agent claude",
  "my-checkpoint-hook --agent claude",
  "--agent claude",
];
test.for(others)("%s does not call our program", (command) => {
  expect(readHookCall(command)).toBeNull();
});
