import { existsSync, mkdirSync, readdirSync, renameSync, rmdirSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import type { SafetyOptions } from "../context.ts";
import { kindOf } from "../kinds/kinds.ts";
import { hashEntries } from "../manifest/canonical-stream.ts";
import { loadCheckpoint } from "../store/load-checkpoint.ts";
import { openContents } from "../store/contents.ts";
import { SafetyError, type Trouble } from "../trouble.ts";
import { refuseWithoutStore } from "./prepare-restore.ts";
import { exitOfStatus, withAudit } from "../with-audit.ts";

/** What was written into a folder beside the workspace. */
export interface IntoResult {
  readonly status: "written";
  readonly id: string;
  readonly folder: string;
  readonly entries: number;
  readonly hash: string;
  readonly match: boolean;
}

/** Writes a snapshot into an empty or new folder, whatever happened to its original place. */
export async function restoreInto(id: string, folder: string, options: SafetyOptions): Promise<IntoResult | Trouble> {
  return withAudit<IntoResult>(
    options,
    async (context) => {
      const { place, progress } = context;
      const target = resolve(place.cwd, folder);
      if (existsSync(target) && readdirSync(target).length > 0)
        throw new SafetyError("in-the-way", `\`${target}\` is not empty.`, "Name an empty or a new folder.");
      refuseWithoutStore(context);
      const contents = openContents(place.layout);
      const draft = `${target}.${process.pid}.draft`;
      try {
        const { manifest, entries } = await loadCheckpoint(place.layout, id, contents);
        mkdirSync(draft, { recursive: true, mode: 0o700 });
        const kind = kindOf(manifest.type, context);
        const written = await (kind.writeOut ?? kind.drill)({ folder: draft, entries, contents, progress });
        const hash = `sha256:${hashEntries(written)}`;
        if (existsSync(target)) rmdirSync(target);
        renameSync(join(draft, "files"), target);
        return { status: "written", id, folder: target, entries: entries.length, hash, match: hash === manifest.tree };
      } finally {
        contents.close();
        rmSync(draft, { recursive: true, force: true });
      }
    },
    exitOf,
  );
}

/** What was written and is not what the checkpoint holds has failed. */
function exitOf(result: IntoResult | Trouble): number {
  return exitOfStatus(result.status === "written" && !result.match ? { status: "failed" } : result);
}
