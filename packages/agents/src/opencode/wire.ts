import { claudeShaped } from "../wire/payload.ts";
import { appliesPatch, changesFile, runsCommand } from "../wire/tools.ts";
import type { Wire } from "../wire/wire.ts";

/** What our plugin for OpenCode passes on. */
export const opencode: Wire = {
  ...claudeShaped({
    tools: {
      bash: runsCommand("command"),
      edit: changesFile("filePath"),
      write: changesFile("filePath"),
      multiedit: changesFile("filePath"),
      apply_patch: appliesPatch("patchText"),
    },
    stop: (_fields, { stage }) => ({
      ...((stage === "tentative" || stage === "delivered") && { stage }),
      // The plugin writes the transcript before it asks.
      lastMessage: null,
    }),
  }),
  block: (message, extras) => ({ decision: "block", reason: message, systemMessage: extras?.systemMessage }),
  tell: ({ systemMessage }) => ({ systemMessage }),
  pass: null,
  coAuthor: null,
};
