import * as v from "valibot";
import { describeIssues } from "../data/describe-issues.ts";
import { isRecord } from "../data/is-record.ts";
import { isTooDeep, MOST_LEVELS } from "../data/is-too-deep.ts";
import { findSecretKeys } from "./find-secret-keys.ts";
import { DISABLED_INTEGRATIONS, type Integrations, IntegrationsSchema } from "./schema.ts";

/** What a config says, or what is wrong with it. */
export type IntegrationsResult =
  | { readonly ok: true; readonly integrations: Integrations; readonly warnings: readonly string[] }
  | { readonly ok: false; readonly problems: readonly string[] };

/** Reads the text of an integrations config; what it leaves out is as if it were switched off. */
export function parseIntegrations(text: string): IntegrationsResult {
  const value = parseJson(text);
  if (!isRecord(value)) return { ok: false, problems: ["expected a JSON object"] };
  if (isTooDeep(value)) return { ok: false, problems: [`expected at most ${MOST_LEVELS} levels`] };
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
