import { existsSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { ApiRequest, FakeModel, HttpAnswer } from "./fake-model.ts";
import { playScript } from "./play-script.ts";
import type { ModelReply, ModelScript } from "./model-script.ts";

/** A running fake model, with every request that reached it so far. */
export interface RunningModel {
  readonly requests: readonly RecordedRequest[];
  readonly firstRequest: Promise<void>;
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
  let noteRequest = (): void => {};
  const firstRequest = new Promise<void>((resolve) => (noteRequest = resolve));

  async function answer(request: ApiRequest): Promise<{ answer: HttpAnswer; reply?: ModelReply }> {
    const seen = model.classify(request);
    requests.push({ ...request, kind: seen.kind });
    noteRequest();
    if (seen.kind === "side") return { answer: seen.answer };
    const reply = nextReply({ userTexts: seen.userTexts, body: request.body });
    if (reply.holdMs) await sleep(reply.holdMs);
    while (reply.holdUntilFile && !existsSync(reply.holdUntilFile)) await sleep(50);
    return { answer: model.answer(request, reply, ++turn), reply };
  }

  const server = createServer(async (incoming, outgoing) => {
    const {
      answer: { status, contentType, body },
      reply,
    } = await answer({
      method: incoming.method ?? "GET",
      url: incoming.url ?? "/",
      body: await readJson(incoming),
    });
    outgoing.writeHead(status, { "content-type": contentType });
    const callsAt = reply?.pauseBeforeCallsMs ? startOfCalls(body) : 0;
    if (callsAt > 0) {
      outgoing.write(body.slice(0, callsAt));
      await sleep(reply?.pauseBeforeCallsMs);
    }
    outgoing.end(body.slice(callsAt));
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(port, "127.0.0.1", resolve);
  });
  return {
    requests,
    firstRequest,
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Where the event with the first call begins in a stream, 0 if there is none. */
function startOfCalls(body: string): number {
  const call = body.search(/"tool_use"|"tool_calls"/);
  return call === -1 ? 0 : body.lastIndexOf("\n\n", call) + 2;
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
