import { homedir, hostname } from "node:os";
import { fileURLToPath } from "node:url";
import { cacheFolder } from "./cache-folder.ts";
import type { AgentName } from "./cli-versions.ts";
import { cutVendorText } from "./redaction/cut-vendor-text.ts";
import { stableIds } from "./redaction/stable-ids.ts";

/** The files of one recording by name: transcripts and hook payloads, which share their ids. */
export type RecordedFiles = Readonly<Record<string, string>>;

/**
 * Prepares a recording for the repository: vendors' prompts cut, ids stable from one recording to the next, nothing of
 * the machine. Lines that hold nothing of the kind stay byte for byte as the CLI wrote them.
 */
export function redactRecording(agent: AgentName, name: string, files: RecordedFiles): RecordedFiles {
  const cut = Object.entries(files).map(([file, text]) => [file, cutVendorText(agent, text)]);
  const redacted = stableIds(name, Object.fromEntries(cut));
  for (const [file, text] of Object.entries(redacted)) assertNothingOfThisMachine(file, text);
  return redacted;
}

function assertNothingOfThisMachine(file: string, text: string): void {
  const repository = fileURLToPath(new URL("../..", import.meta.url));
  // Codex calls its main agent `/root`, so only paths below such a home can be distinguished from it.
  const words = [hostname(), `${homedir()}/.`, cacheFolder(), repository];
  const found = words.filter((word) => word.length > 3 && text.includes(word));
  if (found.length) throw new Error(`${file} still holds ${found.join(", ")}: add a rule to the redaction.`);
}
