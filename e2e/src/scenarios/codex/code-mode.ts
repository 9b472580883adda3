import type { Scenario } from "../scenario.ts";
import { codexSession } from "./session.ts";

const MODEL = "gpt-6-sol";

function script(...lines: readonly string[]): { readonly tool: string; readonly input: string } {
  return { tool: "exec", input: lines.join("\n") };
}

/** Newer models are offered one tool that runs JavaScript, in which commands and patches are nested. */
export const CODE_MODE: readonly Scenario[] = [
  codexSession({
    name: "code-mode",
    shows: "Scripts with nested commands (one fails, and the script still completes) and a nested patch.",
    model: MODEL,
    prompt: "Make the greeting loud",
    replies: [
      {
        calls: [
          script(
            'const run = await tools.exec_command({ cmd: "python3 src/greet.py" });',
            'const check = await tools.exec_command({ cmd: "sh check.sh" });',
            "text(run.output + check.output);",
          ),
        ],
      },
      {
        calls: [
          script(
            'await tools.apply_patch("*** Begin Patch\\n*** Update File: src/greet.py\\n@@\\n-print(\\"hello\\")\\n+print(\\"HELLO\\")\\n*** End Patch");',
            'text("patched");',
          ),
        ],
      },
      { say: "It is loud." },
    ],
  }),
  codexSession({
    name: "code-mode-failures",
    shows: "A script that throws, one whose nested patch does not verify, and one that still runs when its call ends.",
    model: MODEL,
    prompt: "Check the greeting",
    replies: [
      { calls: [script('await tools.exec_command({ cmd: "echo quick" });', 'throw new Error("too quiet");')] },
      {
        calls: [
          script(
            'await tools.apply_patch("*** Begin Patch\\n*** Update File: src/greet.py\\n@@\\n-absent\\n+present\\n*** End Patch");',
          ),
        ],
      },
      {
        calls: [
          script('// @exec: {"yield_time_ms": 300}', 'await tools.exec_command({ cmd: "sleep 2; sh check.sh" });'),
        ],
      },
      { calls: [{ tool: "wait", input: { cell_id: "{{cell ID ([\\w-]+)}}", yield_time_ms: 5000 } }] },
      { say: "It fails." },
    ],
  }),
  codexSession({
    name: "code-mode-0.146.0",
    shows: "A script with a nested failing command in 0.146.0, whose file does not list the nested command.",
    version: "0.146.0",
    model: "gpt-5.6-sol",
    prompt: "Check the greeting",
    replies: [
      { calls: [script('text((await tools.exec_command({ cmd: "sh check.sh" })).output);')] },
      { say: "It fails." },
    ],
  }),
];
