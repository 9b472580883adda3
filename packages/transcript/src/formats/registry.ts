import type { AgentName } from "./agent-names.ts";
import { claude } from "./claude/format.ts";
import { codex } from "./codex/format.ts";
import { copilot } from "./copilot/format.ts";
import type { Format } from "./format.ts";
import { gemini } from "./gemini/format.ts";
import { jsonLines } from "./json-lines.ts";
import { opencode } from "./opencode/format.ts";
import { pi } from "./pi/format.ts";
import { qwen } from "./qwen/format.ts";

/** What the package knows of each agent; a format built from a table is built on first use. */
export const FORMATS: Readonly<Record<AgentName, Format>> = {
  claude,
  gemini,
  codex,
  get copilot() {
    return jsonLines(copilot);
  },
  get qwen() {
    return jsonLines(qwen);
  },
  get opencode() {
    return jsonLines(opencode);
  },
  get pi() {
    return jsonLines(pi);
  },
};
