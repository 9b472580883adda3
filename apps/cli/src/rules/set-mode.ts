import { parseConfig, type RuleMode } from "@agent-checkpoint/categories";
import { AGENT_NAMES, type AgentName } from "@agent-checkpoint/transcript";
import { applyEdits, modify } from "jsonc-parser";

/** A change of a rule's mode. */
export interface ModeChange {
  readonly rule: string;
  readonly mode: RuleMode;
  /** The agent that it is for; null for all of them. */
  readonly agent: AgentName | null;
}

/** The text of a config with a mode of a rule changed, comments and layout kept; null stands for no file. */
export function withMode(text: string | null, { rule, mode, agent }: ModeChange): string {
  const before = text === null || text.trim() === "" ? "{}\n" : text;
  const parsed = parseConfig(before, "");
  const modes = parsed.ok ? (parsed.config.modes ?? {}) : {};
  const given = Object.hasOwn(modes, rule) ? modes[rule] : undefined;
  const path = ["modes", rule, ...(agent !== null && typeof given === "object" ? [agent] : [])];
  const edits = modify(before, path, path.length === 3 ? mode : valueFor({ mode, agent }, given), {
    // Behind the last entry it would come between that entry and the comment on its line.
    getInsertionIndex: () => 0,
    formattingOptions: {
      insertSpaces: !/^\t/m.test(before),
      tabSize: /^( +)\S/m.exec(before)?.[1]?.length ?? 2,
      eol: before.includes("\r\n") ? "\r\n" : "\n",
    },
  });
  return applyEdits(before, edits);
}

/** A mode for one agent leaves the others where a config has put them. */
function valueFor({ mode, agent }: Omit<ModeChange, "rule">, given: unknown): unknown {
  if (agent === null) return mode;
  if (typeof given !== "string") return { [agent]: mode };
  return Object.fromEntries(AGENT_NAMES.map((name) => [name, name === agent ? mode : given]));
}
