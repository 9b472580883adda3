import * as v from "valibot";

/** What the config says of Linear. */
export interface LinearIntegration {
  readonly enabled: boolean;
  readonly team: string;
  readonly branch_prefix: string;
  /** Whether issues move by Linear's own GitHub automation; there is no other way, and no token. */
  readonly use_native_automation: boolean;
}

/** What the config says of Vercel. */
export interface VercelIntegration {
  readonly enabled: boolean;
  readonly wait_for_preview: boolean;
  readonly preview_timeout_ms: number;
  readonly require_preview_success: boolean;
}

/** What `.claude/config/integrations.json` says. */
export interface Integrations {
  readonly linear: LinearIntegration;
  readonly vercel: VercelIntegration;
}

/** What a new file says. */
export const DEFAULT_INTEGRATIONS: Integrations = {
  linear: { enabled: true, team: "Basecamp", branch_prefix: "feature", use_native_automation: true },
  vercel: { enabled: true, wait_for_preview: true, preview_timeout_ms: 300_000, require_preview_success: false },
};

/** What counts where nothing is said: nothing is switched on. */
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
