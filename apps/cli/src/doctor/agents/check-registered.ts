import { fail, type Finding, ok, warn } from "../finding.ts";
import { sayAgo } from "../say-ago.ts";
import { type AgentCase, placeOf } from "./agent-case.ts";
import { watcherOf } from "./watcher-of.ts";

const RECENTLY_MS = 7 * 24 * 60 * 60 * 1000;

/** Whether our command is registered for stops and prompts, and for the right agent. */
export function checkRegistered(subject: AgentCase): readonly Finding[] {
  const { hooks, settings, isWanted } = subject;
  const stops = hooks.filter(({ kind }) => kind === "stop");
  const misdirected = hooks.filter(({ call }) => call?.agent !== settings.agent);
  if (stops.length === 0) return [elsewhere(subject) ?? absent(isWanted, settings.agent)];
  const findings: Finding[] = misdirected.map((hook) =>
    fail(
      `${placeOf(hook)} calls our program as --agent ${hook.call?.agent ?? "nobody we know"}`,
      `Register it anew: checkpoint init --agent ${settings.agent}`,
    ),
  );
  if (!hooks.some(({ kind }) => kind === "prompt")) {
    const event = settings.events.find(({ kind }) => kind === "prompt")?.name ?? "";
    findings.push(
      warn(
        `${event} is not registered: where a turn began is read from the transcript alone`,
        `Register it: checkpoint init --agent ${settings.agent}`,
      ),
    );
  }
  return findings.length > 0 ? findings : [ok([...new Set(stops.map(({ file }) => file))].join(" and "))];
}

/** A message can come another way: by the watcher, or by a plugin's hook, which stands in no settings file. */
function elsewhere({ settings, machine }: AgentCase): Finding | null {
  if (settings.agent === "codex") {
    const watcher = watcherOf(machine.home);
    if (watcher !== null) return ok(`no hook; checkpoint-codex watch delivers (process ${watcher})`);
  }
  const { contents } = machine.store;
  const last = contents === null || "fault" in contents ? null : contents.lastStops[settings.agent];
  if (last === null || machine.now().getTime() - last.at.getTime() > RECENTLY_MS) return null;
  return warn(
    `no hook in the settings, but a stop was seen ${sayAgo(last.at, machine.now())}: a plugin, or another folder's settings`,
    `If that was not meant: checkpoint init --agent ${settings.agent}`,
  );
}

function absent(isWanted: boolean, agent: string): Finding {
  const what = "not registered: no stop is looked at";
  const fix = `checkpoint init --agent ${agent}`;
  return isWanted ? fail(what, fix) : warn(what, fix);
}
