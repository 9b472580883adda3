import type { Sources } from "./kinds/sources.ts";
import { DEFAULT_LIMITS, type Limits } from "./limits.ts";
import { findPlace, type Place, type PlaceOptions } from "./place.ts";
import type { ReportProgress } from "./progress.ts";
import type { StateAdapter } from "./state/state-adapter.ts";

/** What every call is given: where it happens, for whom, and who listens. */
export interface SafetyOptions extends PlaceOptions {
  /** The words that start the program, for the commands that are printed; by default `checkpoint`. */
  readonly program?: readonly string[];
  /** The agent's session, where there is one. */
  readonly session?: string | null;
  readonly limits?: Partial<Limits>;
  readonly now?: () => Date;
  readonly progress?: ReportProgress;
  /** Called between steps, so that a test can end the process there. */
  readonly step?: (name: string) => void;
  /** How long another process may hold the store. */
  readonly lockWaitMs?: number;
  /** The command line for the audit; none is written without it. */
  readonly auditAs?: string;
  /** Where `state:` keys live; by default our own store in `home`. */
  readonly state?: StateAdapter;
  /** The variables that database programs are started with; by default this process's. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** How long others may hold a database that is to be restored. */
  readonly databaseWaitMs?: number;
}

/** The options with everything filled in. */
export interface Context {
  readonly place: Place;
  readonly program: readonly string[];
  readonly session: string | null;
  readonly limits: Limits;
  readonly now: () => Date;
  readonly progress: ReportProgress;
  readonly step: (name: string) => void;
  readonly lockWaitMs: number;
  readonly sources: Sources;
}

/** Fills in what was not given. */
export async function contextOf(options: SafetyOptions): Promise<Context> {
  return {
    place: await findPlace(options),
    program: options.program ?? ["checkpoint"],
    session: options.session ?? null,
    limits: { ...DEFAULT_LIMITS, ...options.limits },
    now: options.now ?? (() => new Date()),
    progress: options.progress ?? (() => undefined),
    step: options.step ?? (() => undefined),
    lockWaitMs: options.lockWaitMs ?? 30_000,
    sources: {
      home: options.home,
      state: options.state ?? null,
      env: options.env ?? process.env,
      databaseWaitMs: options.databaseWaitMs ?? 10_000,
    },
  };
}
