import { findKind } from "../find-kind.ts";
import type { LeftOut, Omission } from "../manifest.ts";
import { decodePath, encodePath } from "../paths.ts";
import type { SafetyOptions } from "../place.ts";
import { recover } from "../recover.ts";
import { type CheckpointRequest, parseRequest } from "../scope.ts";
import { sensitiveName } from "../sensitive-names.ts";
import { rememberStore, withStore } from "../store.ts";
import { SafetyError, type Trouble } from "../trouble.ts";
import { perform, writeMirror } from "../workspace.ts";
import { makeCheckpoint } from "./make-checkpoint.ts";
import { type CheckpointReport, reportNothing, reportOf } from "../report.ts";

/** The result of a request: a checkpoint that was proven restorable, or the reason why there is none. */
export type CreateResult = Created | (Trouble & { readonly report: CheckpointReport });

interface Created {
  readonly status: "created";
  readonly report: CheckpointReport;
  readonly notes: readonly string[];
  /** Files that were named and do not exist: a new file, or a typo. */
  readonly absent: readonly string[];
}

/** Creates a checkpoint of a scope before it is changed; nothing of the user's is touched. */
export async function createCheckpoint(request: CheckpointRequest, options: SafetyOptions): Promise<CreateResult> {
  let left: LeftOut = { excluded: [], skipped: [] };
  const result = await perform<Created>(options, async (context, contents) => {
    const { place, step } = context;
    const parsed = parseRequest(request, place, context.now());
    return withStore(context, async () => {
      const notes = await recover(context, contents);
      const made = await makeCheckpoint({ ...parsed, purpose: "asked" }, context, contents, (capture) => {
        left = capture;
        return refusalOf(capture);
      });
      const problem = writeMirror(made.manifest, place.layout);
      step("mirrored");
      rememberStore(context);
      const named = new Set(parsed.scope.flatMap((item) => (item.kind === "path" ? [item.path] : [])));
      const absent = made.entries.filter(({ path, type }) => type === "absent" && named.has(encodePath(path)));
      // That there is simply no repository need not be said.
      const { noGit } = place;
      const isOdd = noGit !== null && !/not a git repository/.test(noGit);
      return {
        status: "created",
        report: reportOf(made.manifest, made.paths, place.layout),
        absent: findKind(parsed.type).isOfFiles ? absent.map(({ path }) => encodePath(path)) : [],
        notes: [
          ...notes,
          ...(isOdd ? [`git was not asked what is in scope: ${noGit}`] : []),
          ...(problem === null ? [] : [problem]),
        ],
      };
    });
  });
  return result.status === "created" ? result : { ...result, report: reportNothing(result.message, left) };
}

/** Why a request would be refused before anything is captured; null if it would not be. A sensitive file that is named counts. */
export async function checkRequest(request: CheckpointRequest, options: SafetyOptions): Promise<Trouble | null> {
  const result = await perform({ ...options, auditAs: undefined }, async ({ place, now }) => {
    for (const item of parseRequest(request, place, now()).scope) {
      if (item.kind !== "path") continue;
      const found = sensitiveName(decodePath(item.path));
      if (found === null) continue;
      const advice = "Leave it out, and keep a copy of your own if it is about to change.";
      throw new SafetyError("only-sensitive", `\`${item.path}\` is ${found.reason}, which is never captured.`, advice);
    }
    return { status: "checked" };
  });
  return "code" in result ? result : null;
}

/** Why a scope of which nothing could be captured is refused. */
function refusalOf({ excluded, skipped }: LeftOut): SafetyError {
  const left = [...excluded, ...skipped];
  if (left.length === 0) {
    const advice = "Name a folder that has files, or the file that is yet to be made.";
    return new SafetyError("nothing-matched", "There is no file in scope.", advice);
  }
  if (skipped.length > 0)
    return new SafetyError(
      "nothing-captured",
      `Nothing in scope can be captured: ${named(left)}.`,
      "Narrow the scope, or raise the limits.",
    );
  const advice = "They are never captured. Keep a copy of your own, or name other files.";
  return new SafetyError("only-sensitive", `Only sensitive files are in scope: ${named(left)}.`, advice);
}

function named(omissions: readonly Omission[]): string {
  const shown = omissions.slice(0, 5).map(({ path, reason }) => `${JSON.stringify(path)} (${reason})`);
  return [...shown, ...(omissions.length > 5 ? [`and ${omissions.length - 5} more`] : [])].join(", ");
}
