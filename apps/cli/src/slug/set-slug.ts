import { existsSync } from "node:fs";
import { join } from "node:path";
import { isSafeSlug } from "@agent-checkpoint/composer";
import { findGitRoot } from "@agent-checkpoint/git";
import { CliError } from "../cli-error.ts";
import { EXIT } from "../exit-codes.ts";
import { findSession, type FoundSession, type SessionChoice } from "../sessions/find-session.ts";
import type { Environment } from "../environment.ts";
import { toJson, visible } from "../terminal/visible.ts";
import { withStore } from "../with-store.ts";

export interface SlugOptions extends SessionChoice {
  readonly clear?: true;
  readonly json?: true;
}

/** The slug of a session, and where its plan should be. */
interface SlugState {
  readonly agent: FoundSession["agent"];
  readonly sessionId: string;
  readonly projectPath: string;
  readonly workingSlug: string | null;
  /** Null without a slug. */
  readonly plan: { readonly path: string; readonly exists: boolean } | null;
}

/** Sets or clears the slug of the chosen session if requested, and shows it. */
export async function setSlug(name: string | undefined, options: SlugOptions, environment: Environment): Promise<void> {
  const { out, home, cwd } = environment;
  const wanted = wantedSlug(name, options);
  const state = await withStore(home, async (store) => {
    const { agent, sessionId, record } = await findSession(store, environment, options);
    const isNew = record === null;
    if (wanted !== undefined)
      await store.sessions.update(agent, sessionId, { workingSlug: wanted, ...(isNew && { projectPath: cwd }) });
    const workingSlug = wanted === undefined ? (record?.workingSlug ?? null) : wanted;
    const projectPath = record?.projectPath ?? cwd;
    return { agent, sessionId, projectPath, workingSlug, plan: planOf(projectPath, workingSlug) };
  });
  out(options.json === true ? toJson(state) : describe(state));
}

/** The slug to set, null to remove it, undefined to only show it. */
function wantedSlug(name: string | undefined, { clear }: SlugOptions): string | null | undefined {
  if (clear === true && name !== undefined)
    throw new CliError("a name and --clear exclude each other", { exitCode: EXIT.usage });
  if (clear === true) return null;
  if (name === undefined || isSafeSlug(name)) return name;
  throw new CliError(`"${visible(name)}" is not a plain folder name`, {
    exitCode: EXIT.usage,
    advice:
      "A slug is the name of a folder under todos/: no slashes, no dots that lead elsewhere, at most 200 characters.",
  });
}

function planOf(projectPath: string, slug: string | null): SlugState["plan"] {
  if (slug === null) return null;
  const path = join("todos", slug, "implementation-plan.md");
  return { path, exists: existsSync(join(findGitRoot(projectPath) ?? projectPath, path)) };
}

function describe({ agent, sessionId, workingSlug, plan }: SlugState): string {
  const session = `${agent} session ${visible(sessionId)}`;
  if (workingSlug === null || plan === null) return `No working slug (${session}).\n`;
  const where = visible(plan.path);
  return [
    `${visible(workingSlug)} (${session})\n`,
    plan.exists ? `Plan: ${where}\n` : `There is no plan yet: ${where} is missing.\n`,
  ].join("");
}
