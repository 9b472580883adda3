import { createServer, type IncomingMessage } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { ApiRequest, FakeModel, HttpAnswer } from "./fake-model.ts";
import { playScript } from "./play-script.ts";
import type { ModelScript } from "./model-script.ts";

/** A running fake model, with every request that reached it so far. */
export interface RunningModel {
  readonly requests: readonly RecordedRequest[];
  readonly stop: () => void;
}

/** A request that reached the fake model: a turn of a conversation, or something on the side. */
export interface RecordedRequest extends ApiRequest {
  readonly kind: "turn" | "side";
}

/** Plays a script on a loopback port the way a vendor's API would. */
export async function startFakeModel(model: FakeModel, script: ModelScript, port: number): Promise<RunningModel> {
  const requests: RecordedRequest[] = [];
  const nextReply = playScript(script);
  let turn = script.answersBefore ?? 0;

  async function answer(request: ApiRequest): Promise<HttpAnswer> {
    const seen = model.classify(request);
    requests.push({ ...request, kind: seen.kind });
    if (seen.kind === "side") return seen.answer;
    const reply = nextReply({ userTexts: seen.userTexts, body: request.body });
    if (reply.holdMs) await sleep(reply.holdMs);
    return model.answer(request, reply, ++turn);
  }

  const server = createServer(async (incoming, outgoing) => {
    const { status, contentType, body } = await answer({
      method: incoming.method ?? "GET",
      url: incoming.url ?? "/",
      body: await readJson(incoming),
    });
    outgoing.writeHead(status, { "content-type": contentType }).end(body);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(port, "127.0.0.1", resolve);
  });
  return {
    requests,
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function readJson(incoming: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString("utf8");
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
