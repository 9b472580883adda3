import { randomUUID } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { vi } from "vitest";
import type { Thread } from "../find-pane.ts";
import type { TmuxServer } from "./start-tmux-server.ts";

/** The stand-in for Codex in a pane. */
export interface StandIn {
  readonly pane: string;
  readonly thread: Thread;
  /** Tells it what to show and how to behave; see its README. */
  readonly tell: (command: Readonly<Record<string, unknown>>) => Promise<void>;
  /** Everything that reached it so far. */
  readonly log: () => readonly LogEntry[];
  /** The texts that were sent. */
  readonly submitted: () => readonly string[];
}

/** Something that reached the stand-in. */
export interface LogEntry {
  readonly type: "key" | "paste" | "submit" | "harm";
  readonly key?: string;
  readonly text?: string;
  readonly what?: string;
  readonly shown: string;
}

/** How a stand-in differs from one that has its thread's id in the title. */
export interface StandInOptions {
  readonly title?: string;
  readonly holdsRollout?: boolean;
  readonly cwd?: string;
  /** The shell that comes back when it quits. */
  readonly shell?: boolean;
}

/** Starts the stand-in in a pane of its own, idle after a turn. */
export async function startStandIn(server: TmuxServer, options: StandInOptions = {}): Promise<StandIn> {
  const id = randomUUID();
  const name = id.slice(0, 8);
  const [logFile, socket] = [join(server.folder, `${name}.log`), join(server.folder, `${name}.sock`)];
  const cwd = options.cwd ?? server.folder;
  const thread = { id, cwd, rolloutPath: join(server.folder, `rollout-${id}.jsonl`) };
  const title = options.title ?? `Ready | ${id.slice(0, 29)}...`;
  const program = [
    process.execPath,
    PROGRAM,
    logFile,
    socket,
    title,
    ...(options.holdsRollout ? [thread.rolloutPath] : []),
  ];
  const command = options.shell ? ["sh", "-c", '"$@"; exec sh', "sh", ...program] : program;
  const pane = await server.openPane(command, cwd);
  await vi.waitFor(() => expectExists(socket), { timeout: 10_000 });
  const log = (): readonly LogEntry[] =>
    existsSync(logFile)
      ? readFileSync(logFile, "utf8")
          .split("\n")
          .filter(Boolean)
          .map((line) => JSON.parse(line) as LogEntry)
      : [];
  const standIn: StandIn = {
    pane,
    thread,
    tell: (order) => tell(socket, order),
    log,
    submitted: () => log().flatMap(({ type, text }) => (type === "submit" && text !== undefined ? [text] : [])),
  };
  await standIn.tell({ show: "idle" });
  return standIn;
}

const PROGRAM = fileURLToPath(new URL("../../../../../fixtures/stand-in-tui/stand-in-tui.ts", import.meta.url));

function expectExists(path: string): void {
  if (!existsSync(path)) throw new Error(`${path} is not there yet`);
}

async function tell(socket: string, order: Readonly<Record<string, unknown>>): Promise<void> {
  await new Promise<void>((resolve) => {
    const connection = connect(socket, () => connection.write(`${JSON.stringify(order)}\n`));
    const done = (): void => {
      connection.destroy();
      resolve();
    };
    connection.once("data", done).once("close", done).once("error", done);
  });
}
