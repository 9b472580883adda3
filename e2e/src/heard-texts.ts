import type { AgentName } from "./cli-versions.ts";
import { FAKE_MODELS } from "./fake-models/fake-models.ts";
import type { ApiRequest } from "./fake-models/fake-model.ts";

/** The user messages of each request to a model, side requests left out. */
export function heardTexts(agent: AgentName, requests: readonly ApiRequest[]): readonly (readonly string[])[] {
  return requests
    .map((request) => FAKE_MODELS[agent].classify(request))
    .flatMap((seen) => (seen.kind === "turn" ? [seen.userTexts] : []));
}
