import type { AgentName } from "../cli-versions.ts";
import { chatModel } from "./chat.ts";
import { claudeModel } from "./claude.ts";
import { codexModel } from "./codex.ts";
import type { FakeModel } from "./fake-model.ts";
import { geminiModel } from "./gemini.ts";

/** The model API that each agent's CLI talks to. */
export const FAKE_MODELS: Readonly<Record<AgentName, FakeModel>> = {
  claude: claudeModel,
  gemini: geminiModel,
  codex: codexModel,
  copilot: chatModel,
  qwen: chatModel,
  opencode: chatModel,
  pi: chatModel,
};
