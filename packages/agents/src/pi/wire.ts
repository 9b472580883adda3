import { claudeShaped } from "../wire/payload.ts";
import { changesFile, runsCommand } from "../wire/tools.ts";
import type { Wire } from "../wire/wire.ts";

/** What our extension for pi passes on. */
export const pi: Wire = {
  ...claudeShaped({
    tools: {
      bash: runsCommand("command"),
      powershell: runsCommand("command"),
      edit: changesFile("path"),
      write: changesFile("path"),
    },
    // The session's file is complete when the extension asks.
    stop: () => ({ lastMessage: null }),
  }),
  block: (message, extras) => ({ decision: "block", reason: message, systemMessage: extras?.systemMessage }),
  tell: ({ systemMessage }) => ({ systemMessage }),
  pass: null,
  coAuthor: null,
};
