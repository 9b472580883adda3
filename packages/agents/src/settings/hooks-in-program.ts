import type { SettingsProblem } from "./parse-settings.ts";
import { type HooksForm, planRegistration, planRemoval } from "./plan.ts";
import { readRegistrations } from "./registrations.ts";

/**
 * The form of our hooks for an agent that has no settings for any: the file is a program that the agent loads, with the
 * settings that it lacks in the program's text. The program passes the agent's events on to the hooks in them.
 */
export function hooksInProgram({
  imports = "",
  code,
}: {
  readonly imports?: string;
  readonly code: string;
}): HooksForm {
  const wrap = (settings: string) => `${HEAD}${imports}\n${BEGIN}${settings.trim()}${END}${ASK}${code}`;
  return {
    plan: (text, wanted) => {
      const settings = text === null ? null : unwrap(text);
      if (settings === undefined) return NOT_OURS;
      const plan = planRegistration(settings, wanted);
      return plan.ok ? { ...plan, text: wrap(plan.text) } : plan;
    },
    planRemoval: (text) => {
      const settings = unwrap(text);
      if (settings === undefined) return NOT_OURS;
      const plan = planRemoval(settings);
      return plan.ok ? { ...plan, text: plan.removed.length === 0 ? text : wrap(plan.text) } : plan;
    },
    read: (text) => {
      const settings = unwrap(text);
      return settings === undefined ? NOT_OURS : readRegistrations(settings);
    },
  };
}

/** The settings in a program of ours, on the lines that they have there; undefined if it is not ours. */
function unwrap(text: string): string | undefined {
  const [start, end] = [text.indexOf(BEGIN), text.indexOf(END)];
  if (start === -1 || end < start) return undefined;
  const from = start + BEGIN.length;
  return text.slice(0, from).replaceAll(/[^\n]/g, "") + text.slice(from, end);
}

const NOT_OURS: { readonly ok: false; readonly problem: SettingsProblem } = {
  ok: false,
  problem: { line: 1, column: 1, expected: "a program that `checkpoint init` wrote", found: "another" },
};

const BEGIN = "const SETTINGS = // agent-checkpoint:settings\n";
const END = "; // agent-checkpoint:end\n";

const HEAD = `// Written by \`checkpoint init\`, which writes it again after an update. \`checkpoint uninstall\` removes it.
import { spawn } from "node:child_process";
`;

/** How every such program runs the hooks of an event. */
const ASK = `
/** Runs the hooks of an event and returns the first answer; if anything fails, there is none. */
async function ask(event, payload) {
  try {
    for (const hook of (SETTINGS.hooks?.[event] ?? []).flatMap(({ hooks }) => hooks ?? [])) {
      const answer = await run(hook, { hook_event_name: event, ...payload });
      if (answer !== null) return answer;
    }
  } catch {
    // A fault of ours must not become one of the agent's.
  }
  return null;
}

function run({ command, timeout = 30 }, payload) {
  return new Promise((resolve) => {
    const child = spawn("/bin/sh", ["-c", command], { cwd: payload.cwd, stdio: ["pipe", "pipe", "ignore"] });
    let output = "";
    const end = () => {
      clearTimeout(timer);
      try {
        resolve(JSON.parse(output));
      } catch {
        resolve(null);
      }
    };
    const timer = setTimeout(() => {
      child.kill("SIGKILL");
      end();
    }, timeout * 1000);
    child.stdout.setEncoding("utf8").on("data", (text) => (output += text));
    child.stdin.on("error", () => {});
    child.on("error", end).on("close", end);
    child.stdin.end(JSON.stringify(payload));
  });
}
`;
