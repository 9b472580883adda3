import { existsSync, mkdirSync, realpathSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { HAS_TMUX } from "./testing/has-tmux.ts";
import { startStandIn } from "./testing/start-stand-in.ts";
import { startTmuxServer } from "./testing/start-tmux-server.ts";
import { findPane } from "./find-pane.ts";

describe.runIf(HAS_TMUX)("among real panes, a thread's is found", () => {
  test("by its title", async () => {
    const server = startTmuxServer();
    const [, mine] = [await startStandIn(server), await startStandIn(server)];
    expect(await findPane(server.tmux, mine.thread)).toEqual({ found: true, pane: mine.pane, by: "title" });
  });

  test("once, though two sessions show its window", async () => {
    const server = startTmuxServer();
    const mine = await startStandIn(server);
    await server.tmux(["new-session", "-d", "-t", mine.pane]);
    expect(await findPane(server.tmux, mine.thread)).toEqual({ found: true, pane: mine.pane, by: "title" });
  });

  test.runIf(existsSync("/proc/self/fd"))("by the rollout that its Codex holds open", async () => {
    const server = startTmuxServer();
    const looks = { title: "project", holdsRollout: true };
    const [, mine] = [await startStandIn(server, looks), await startStandIn(server, looks)];
    expect(await findPane(server.tmux, mine.thread)).toEqual({ found: true, pane: mine.pane, by: "rollout" });
  });

  test("by its folder, whatever the folder is called by, if there is one of each", async () => {
    const server = startTmuxServer();
    const folder = join(server.folder, "project");
    mkdirSync(folder);
    symlinkSync(folder, join(server.folder, "link"));
    const mine = await startStandIn(server, { title: "project", cwd: realpathSync(folder) });
    await server.openPane(["sleep", "60"], folder);
    const thread = { ...mine.thread, cwd: join(server.folder, "link") };
    expect(await findPane(server.tmux, thread, true)).toEqual({ found: true, pane: mine.pane, by: "folder" });
    expect(await findPane(server.tmux, thread)).toMatchObject({ found: false, reason: "ambiguous" });
    await startStandIn(server, { title: "project", cwd: folder });
    expect(await findPane(server.tmux, thread, true)).toMatchObject({ found: false, reason: "ambiguous" });
  });

  test("by nothing once Codex has quit", async () => {
    const server = startTmuxServer();
    const mine = await startStandIn(server, { title: "project", holdsRollout: true, shell: true });
    await mine.tell({ quit: true });
    await vi.waitFor(async () =>
      expect(await findPane(server.tmux, mine.thread, true)).toMatchObject({ found: false, reason: "none" }),
    );
  });
});
