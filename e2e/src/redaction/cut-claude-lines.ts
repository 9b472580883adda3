import { CUT, isLong } from "./cut.ts";

/** Removes what Claude Code tells the model about itself, and copies of what it sent. */
export function cutClaudeLines(lines: readonly ClaudeLine[]): readonly unknown[] {
  return oneOfEachRequestLine(dropVendorAttachments(lines)).map(cutLine);
}

/** A line of Claude Code's transcript, as far as it is checked here. */
export interface ClaudeLine {
  readonly type?: string;
  readonly uuid?: string;
  readonly parentUuid?: string | null | undefined;
  readonly attachment?: { readonly type: string };
  readonly message?: { readonly role: string; readonly content: unknown };
  readonly content?: unknown;
  readonly isMeta?: boolean;
  readonly params?: { readonly model: string };
}

/** What Claude Code tells the model at the start of a session; lines that followed one of these follow its predecessor. */
const VENDOR_ATTACHMENTS: ReadonlySet<string> = new Set([
  "environment",
  "model",
  "deferred_tools_delta",
  "agent_listing_delta",
  "skill_listing",
  "auto_mode",
  "session_context",
  "remote_session_change",
  "prompt_snapshot",
]);

function dropVendorAttachments(lines: readonly ClaudeLine[]): readonly ClaudeLine[] {
  const parentOfDropped = new Map<string, string | null>();
  return lines.flatMap((line) => {
    let parentUuid = line.parentUuid;
    while (parentUuid && parentOfDropped.has(parentUuid)) parentUuid = parentOfDropped.get(parentUuid);
    if (line.uuid && line.attachment && VENDOR_ATTACHMENTS.has(line.attachment.type)) {
      parentOfDropped.set(line.uuid, parentUuid ?? null);
      return [];
    }
    return [parentUuid === line.parentUuid ? line : { ...line, parentUuid }];
  });
}

/** Copies of model requests come with every request; one of each kind shows a reader that they exist. */
function oneOfEachRequestLine(lines: readonly ClaudeLine[]): readonly ClaudeLine[] {
  const seen = new Set<string>();
  return lines.filter(({ type = "", message }) => {
    if (!type.startsWith("api-request")) return true;
    const kind = `${type} ${message?.role}`;
    return !seen.has(kind) && seen.add(kind);
  });
}

function cutLine(line: ClaudeLine): unknown {
  switch (line.type) {
    case "api-request-shape":
      return { ...line, shape: { system: [{ type: "text", text: CUT }], tools: [] } };
    case "api-request-blob":
      return { ...line, message: { ...line.message, content: [{ type: "text", text: CUT }] } };
    case "api-request":
      return { ...line, params: { model: line.params?.model }, tail: [], cacheControl: [] };
    case "system":
      return isLong(line.content) ? { ...line, content: CUT } : line;
    case "user":
      return line.isMeta && isLong(line.message?.content)
        ? { ...line, message: { ...line.message, content: `${line.message.content.slice(0, 80)} ${CUT}` } }
        : line;
    case undefined:
    default:
      return line;
  }
}
