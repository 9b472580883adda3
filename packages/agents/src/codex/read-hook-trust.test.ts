import { mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readHookTrust } from "./read-hook-trust.ts";

/** The definitions and hashes are those that the `hooks/list` of Codex 0.166.0 named. */
const hook = { type: "command", command: "true checkpoint-hook", timeout: 30 };
const STOP = "8c10bd6da5e817e4371416445fc4769767e7c7f796cc7d765ee67852fe2e7dcc";
const PROMPT = "81346adb3b950a7adeedcb840ceb1517727967971ee61915b99e934acc06af26";
const PROMPT_WITHOUT_TIMEOUT = "22cf47466540547f7328affa3a67554e643a197fbf28f68d49db8d170d756c38";

const hooks = {
  Stop: [{ hooks: [hook] }],
  UserPromptSubmit: [{ matcher: "*", hooks: [hook, { type: "command", command: "true checkpoint-hook" }] }],
  SessionStart: [{ hooks: [{ type: "command", command: "somebody-elses" }] }],
};
const [stop, prompt, second] = ["stop:0:0", "user_prompt_submit:0:0", "user_prompt_submit:0:1"];

const cases = [
  { state: "nothing", lines: [], trust: ["untrusted", "untrusted", "untrusted"] },
  {
    state: "all trusted",
    lines: [trusted(stop, STOP), trusted(prompt, PROMPT), trusted(second, PROMPT_WITHOUT_TIMEOUT)],
    trust: ["trusted", "trusted", "trusted"],
  },
  {
    state: "the hashes of one event are not those of another",
    lines: [trusted(stop, PROMPT), trusted(prompt, STOP), trusted(second, PROMPT)],
    trust: ["changed", "changed", "changed"],
  },
  {
    state: "one switched off",
    lines: [trusted(stop, STOP, "enabled = false"), trusted(prompt, PROMPT, "enabled = true")],
    trust: ["off", "trusted", "untrusted"],
  },
  { state: "a config that is no TOML", lines: ["[["], trust: ["untrusted", "untrusted", "untrusted"] },
];
test.for(cases)("$state", ({ lines, trust }) => {
  const home = codexHome();
  const file = join(home, "hooks.json");
  writeFileSync(file, JSON.stringify({ hooks }));
  writeFileSync(join(home, "config.toml"), lines.join("\n").replaceAll("FILE", file));
  expect(readHookTrust(file, join(home, "config.toml")).map((one) => one.trust)).toEqual(trust);
});

test("a file that is reached by a link is known by its real path as well", () => {
  const home = codexHome();
  const file = join(home, "hooks.json");
  symlinkSync(join(home, "dotfiles.json"), file);
  writeFileSync(join(home, "dotfiles.json"), JSON.stringify({ hooks: { Stop: [{ hooks: [hook] }] } }));
  writeFileSync(join(home, "config.toml"), trusted(stop, STOP).replace("FILE", join(home, "dotfiles.json")));
  expect(readHookTrust(file, join(home, "config.toml"))).toEqual([
    { event: "Stop", groupIndex: 0, hookIndex: 0, command: hook.command, trust: "trusted" },
  ]);
});

test.for(["", "[]", "{", `{"hooks":[]}`, `{"hooks":{"Stop":{}}}`, `{"hooks":{"Stop":[null,{"hooks":[1]}]}}`])(
  "%s holds no hook of ours",
  (text) => {
    const file = join(codexHome(), "hooks.json");
    writeFileSync(file, text);
    expect(readHookTrust(file, "/nowhere")).toEqual([]);
  },
);

function trusted(key: string, hash: string, more = ""): string {
  return `[hooks.state."FILE:${key}"]\ntrusted_hash = "sha256:${hash}"\n${more}`;
}

function codexHome(): string {
  const home = mkdtempSync(join(realpathSync(tmpdir()), "checkpoint-trust-"));
  onTestFinished(() => rmSync(home, { recursive: true }));
  return home;
}
