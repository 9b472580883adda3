import type { AgentName } from "../cli-versions.ts";
import { chatModel } from "./chat.ts";
import { claudeModel } from "./claude.ts";
import { codexModel } from "./codex.ts";
import type { ApiRequest, FakeModel } from "./fake-model.ts";
import { geminiModel } from "./gemini.ts";

/** OpenCode speaks whatever its settings say. */
const byAddress: FakeModel = {
  classify: (request) => apiOf(request).classify(request),
  answer: (request, reply, turn) => apiOf(request).answer(request, reply, turn),
};

function apiOf({ url }: ApiRequest): FakeModel {
  return url.startsWith("/v1/messages") ? claudeModel : chatModel;
}

/** The model API that each agent's CLI talks to. */
export const FAKE_MODELS: Readonly<Record<AgentName, FakeModel>> = {
  claude: claudeModel,
  gemini: geminiModel,
  codex: codexModel,
  copilot: chatModel,
  qwen: chatModel,
  opencode: byAddress,
  pi: chatModel,
};
