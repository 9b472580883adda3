import type { PresetName } from "../presets/presets.ts";
import type { SafetyRules } from "../safety-rules.ts";
import type { SaveRules } from "../save-rules.ts";
import type { CheckId, Delivery, Rules, Scope, Stage } from "../types.ts";

/** The key `safety` of a config file. */
export type SafetyEntry = { readonly [Key in keyof SafetyRules]?: SafetyRules[Key] | undefined };

/** The key `save` of a config file. */
export type SaveEntry = { readonly [Key in keyof SaveRules]?: SaveRules[Key] | undefined };

/** A row of `categories` in a config file. */
export interface CategoryEntry {
  readonly id: string;
  readonly off?: boolean | undefined;
  readonly label?: string | undefined;
  readonly plural?: boolean | undefined;
  readonly include?: readonly string[] | undefined;
  readonly exclude?: readonly string[] | undefined;
  readonly action?: string | null | undefined;
  readonly tests?: boolean | readonly string[] | undefined;
}

/** A row of `actions` in a config file. */
export interface ActionEntry {
  readonly id: string;
  readonly off?: boolean | undefined;
  readonly stage?: Stage | undefined;
  readonly instruction?: string | undefined;
  readonly steps?: readonly StepEntry[] | undefined;
}

/** A step of an action in a config file: a command, or a command with what proves it. */
export type StepEntry = string | { readonly run: string; readonly evidence?: readonly string[] | undefined };

/** What a config file may contain. */
export interface Config {
  readonly $schema?: string | undefined;
  readonly preset?: PresetName | "none" | undefined;
  readonly categories?: readonly CategoryEntry[] | undefined;
  readonly actions?: readonly ActionEntry[] | undefined;
  readonly docs?: readonly string[] | undefined;
  readonly baseline?: readonly string[] | undefined;
  readonly checks?: { readonly [Check in CheckId]?: boolean | undefined } | undefined;
  readonly modes?: Rules["modes"] | undefined;
  readonly noise?: Rules["noise"] | undefined;
  readonly timerSeconds?: number | undefined;
  readonly captureOnly?: Delivery | undefined;
  readonly allClear?: Delivery | undefined;
  readonly commitStep?: boolean | undefined;
  readonly captureReminder?: boolean | undefined;
  readonly untracked?: boolean | undefined;
  readonly scope?: Scope | undefined;
  readonly keepDays?: number | undefined;
  readonly save?: SaveEntry | undefined;
  readonly safety?: SafetyEntry | undefined;
}
