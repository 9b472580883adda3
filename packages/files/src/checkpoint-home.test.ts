import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { checkpointHome } from "./checkpoint-home.ts";

const system = { homedir: () => "/home/of-the-system" };
vi.spyOn(process.getBuiltinModule("node:os"), "homedir").mockImplementation(() => system.homedir());

const fallback = join(tmpdir(), `agent-checkpoint-${process.getuid?.()}`);
const fromSystem = "/home/of-the-system/.local/state/agent-checkpoint";

const cases = [
  { env: { CHECKPOINT_HOME: "/own", XDG_STATE_HOME: "/state", HOME: "/home/me" }, home: "/own" },
  { env: { XDG_STATE_HOME: "/state", HOME: "/home/me" }, home: "/state/agent-checkpoint" },
  { env: { HOME: "/home/me" }, home: "/home/me/.local/state/agent-checkpoint" },
  {
    env: { CHECKPOINT_HOME: "", XDG_STATE_HOME: "", HOME: "/home/me" },
    home: "/home/me/.local/state/agent-checkpoint",
  },
  { env: { CHECKPOINT_HOME: "state", XDG_STATE_HOME: "./state", HOME: "~" }, home: fallback },
  { env: {}, home: fromSystem },
];
test.for(cases)("$env is at $home", ({ env, home }) => {
  expect(checkpointHome(env)).toBe(home);
});

const homeless = [
  {
    user: "a user the system does not know",
    homedir: () => {
      throw new Error("ENOENT");
    },
  },
  { user: "a user whose home is empty", homedir: () => "" },
];
test.for(homeless)("$user has a folder among the temporary ones", ({ homedir }) => {
  system.homedir = homedir;
  expect(checkpointHome({})).toBe(fallback);
});
