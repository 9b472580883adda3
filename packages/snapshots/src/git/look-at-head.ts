import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { WorkTree } from "./find-work-tree.ts";

/**
 * The commit that HEAD stands at, read from the files that git keeps refs in; null where they do not tell, as before the
 * first commit, and git must be asked.
 */
export function lookAtHead({ gitDir, commonDir }: WorkTree): string | null {
  const head = read(join(gitDir, "HEAD")).trimEnd();
  if (OID.test(head)) return head;
  const [, ref] = /^ref: (refs\/heads\/\S+)$/.exec(head) ?? [];
  if (ref === undefined) return null;
  const loose = read(join(commonDir, ref)).trimEnd();
  if (loose !== "") return OID.test(loose) ? loose : null;
  const packed = read(join(commonDir, "packed-refs"));
  const end = packed.indexOf(` ${ref}\n`);
  const oid = packed.slice(packed.lastIndexOf("\n", end) + 1, end);
  return end !== -1 && OID.test(oid) ? oid : null;
}

const OID = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
