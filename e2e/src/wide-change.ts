import type { AgentVoice } from "./agent-voices.ts";
import type { ModelReply } from "./fake-models/model-script.ts";

/** Folders whose changes ask for different things. */
const FOLDERS = ["teleclaude/core", "teleclaude/cli/tui", "teleclaude/hooks", "tests"];

/** Paths as long as a message shows them. */
const PATHS: readonly string[] = FOLDERS.flatMap((folder) =>
  ["á", "b", "c", "d", "é"].map((letter) => `${folder}/${letter.repeat(112 - folder.length)}_x.py`),
);

/** A project with a script that changes so many files that the checkpoint's message has about 4 KB. */
export const WIDE: Readonly<Record<string, string>> = {
  "checkpoint.config.json": '{ "timerSeconds": 0 }\n',
  "change.sh": "for file in teleclaude/*/*.py teleclaude/*/*/*.py tests/*.py; do date +%s%N >> $file; done\n",
  ...Object.fromEntries(PATHS.map((path) => [path, "DELAY = 1\n"])),
};

/** Changes all of it and only says that it is done. */
export function wideChange(voice: AgentVoice, word: string): readonly ModelReply[] {
  return [{ calls: [voice.shell("sh change.sh")] }, { say: word }];
}
