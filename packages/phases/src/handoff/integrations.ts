import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { describeIssues, isTooDeep, MAX_LEVELS } from "../given-values.ts";
import { isRecord } from "@agent-checkpoint/files";
import { CheckpointError, type Reporter, sharedReporter } from "../report.ts";
import { findProjectRoot } from "../storage/state-folder.ts";

/** The path of the integrations config in a project. */
export const INTEGRATIONS_FILE = ".claude/config/integrations.json";

/** The integrations of a project; all are disabled if there is no usable config. */
export function loadIntegrations(root?: string, reporter: Reporter = sharedReporter): Integrations {
  return reporter.attempt(() => {
    const path = join(root ?? findProjectRoot(), INTEGRATIONS_FILE);
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats === undefined) return DISABLED_INTEGRATIONS;
    if (!stats.isFile()) throw new CheckpointError("invalid", `${INTEGRATIONS_FILE} is not a regular file`);
    const result = parseIntegrations(readFileSync(path, "utf8"));
    if (!result.ok) throw new CheckpointError("invalid", `${INTEGRATIONS_FILE}: ${result.problems.join("; ")}`);
    for (const warning of result.warnings) reporter.warn(`${INTEGRATIONS_FILE}: ${warning}`);
    return result.integrations;
  }, DISABLED_INTEGRATIONS);
}

/** A parsed config, or what is wrong with it. */
export type IntegrationsResult =
  | { readonly ok: true; readonly integrations: Integrations; readonly warnings: readonly string[] }
  | { readonly ok: false; readonly problems: readonly string[] };

/** Reads the text of an integrations config; what it leaves out is as if it were switched off. */
export function parseIntegrations(text: string): IntegrationsResult {
  const value = parseJson(text);
  if (!isRecord(value)) return { ok: false, problems: ["expected a JSON object"] };
  if (isTooDeep(value)) return { ok: false, problems: [`expected at most ${MAX_LEVELS} levels`] };
  const secrets = findSecretKeys(value);
  if (secrets.length > 0) return { ok: false, problems: secrets.map((key) => `\`${key}\`: ${NO_SECRETS}`) };
  const arrays = Object.keys(value).filter((key) => Array.isArray(value[key]));
  if (arrays.length > 0)
    return { ok: false, problems: arrays.map((key) => `\`${key}\`: expected Object, found a list`) };
  const result = v.safeParse(IntegrationsSchema, value, { abortPipeEarly: true });
  if (!result.success) return { ok: false, problems: describeIssues(result.issues) };
  const { linear, vercel } = result.output;
  return {
    ok: true,
    integrations: {
      linear: filledUp(linear, DISABLED_INTEGRATIONS.linear),
      vercel: filledUp(vercel, DISABLED_INTEGRATIONS.vercel),
    },
    warnings: unknownKeys(value).map((key) => `\`${key}\` means nothing here`),
  };
}

const NO_SECRETS =
  "tokens and clients do not belong here (Linear and Vercel work by their own GitHub automation); take it out";

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch {
    return undefined;
  }
}

/** The keys of a section that mean something, each as given or as it is by default. */
function filledUp<Section extends object>(
  given: { readonly [Key in keyof Section]?: Section[Key] | undefined } | undefined,
  section: Section,
): Section {
  const keys = Object.keys(section) as (keyof Section)[];
  return Object.fromEntries(keys.map((key) => [key, given?.[key] ?? section[key]])) as Section;
}

function unknownKeys(file: Record<string, unknown>): string[] {
  return Object.entries(file).flatMap(([name, section]) => {
    const keys = Object.hasOwn(DISABLED_INTEGRATIONS, name) ? DISABLED_INTEGRATIONS[name as keyof Integrations] : null;
    if (keys === null) return name === "$schema" ? [] : [name];
    const given = isRecord(section) ? Object.keys(section) : [];
    return given.filter((key) => !Object.hasOwn(keys, key)).map((key) => `${name}.${key}`);
  });
}

/** Words in a key that announce a credential, or a client that would need one. */
const SECRET_WORDS: ReadonlySet<string> = new Set([
  "authorization",
  "bearer",
  "client",
  "clients",
  "credential",
  "credentials",
  "password",
  "pat",
  "secret",
  "secrets",
  "token",
  "tokens",
]);

/** Two words that do so together; a team's `key` alone is a name. */
const SECRET_PAIRS = /(?:^|_)(?:api|access|private)_?keys?(?:_|$)/;

/** The dotted keys of a config that look like secrets, at any depth. */
function findSecretKeys(value: unknown, path: string = ""): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    const name = path === "" ? key : `${path}.${key}`;
    return isSecret(key) ? [name] : findSecretKeys(inner, name);
  });
}

function isSecret(key: string): boolean {
  const words = key
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "_");
  return SECRET_PAIRS.test(words) || words.split("_").some((word) => SECRET_WORDS.has(word));
}

export interface LinearIntegration {
  readonly enabled: boolean;
  readonly team: string;
  readonly branch_prefix: string;
  /** Whether issues move by Linear's own GitHub automation; there is no other way, and no token. */
  readonly use_native_automation: boolean;
}

export interface VercelIntegration {
  readonly enabled: boolean;
  readonly wait_for_preview: boolean;
  readonly preview_timeout_ms: number;
  readonly require_preview_success: boolean;
}

/** The content of `.claude/config/integrations.json`. */
export interface Integrations {
  readonly linear: LinearIntegration;
  readonly vercel: VercelIntegration;
}

/** The content of a new file. */
export const DEFAULT_INTEGRATIONS: Integrations = {
  linear: { enabled: true, team: "Basecamp", branch_prefix: "feature", use_native_automation: true },
  vercel: { enabled: true, wait_for_preview: true, preview_timeout_ms: 300_000, require_preview_success: false },
};

/** The default: everything is disabled. */
export const DISABLED_INTEGRATIONS: Integrations = {
  linear: { ...DEFAULT_INTEGRATIONS.linear, enabled: false, team: "" },
  vercel: { ...DEFAULT_INTEGRATIONS.vercel, enabled: false },
};

/** What a file may leave out. */
export interface IntegrationsFile {
  readonly linear?: { readonly [Key in keyof LinearIntegration]?: LinearIntegration[Key] | undefined } | undefined;
  readonly vercel?: { readonly [Key in keyof VercelIntegration]?: VercelIntegration[Key] | undefined } | undefined;
}

/** The shape of `.claude/config/integrations.json`. */
export const IntegrationsSchema: v.GenericSchema<unknown, IntegrationsFile> = v.looseObject({
  linear: v.optional(
    v.looseObject({
      enabled: v.optional(v.boolean()),
      team: v.optional(v.pipe(v.string(), v.regex(/\S/, "expected the name of a team"))),
      branch_prefix: v.optional(
        v.pipe(v.string(), v.regex(/^[\w][\w./-]*$/, "expected a prefix that a branch may begin with")),
      ),
      use_native_automation: v.optional(v.boolean()),
    }),
  ),
  vercel: v.optional(
    v.looseObject({
      enabled: v.optional(v.boolean()),
      wait_for_preview: v.optional(v.boolean()),
      preview_timeout_ms: v.optional(
        v.pipe(
          v.number(),
          v.integer("expected whole milliseconds"),
          v.minValue(1_000, "expected at least a second (1000)"),
          v.maxValue(1_800_000, "expected at most half an hour (1800000)"),
        ),
      ),
      require_preview_success: v.optional(v.boolean()),
    }),
  ),
});
