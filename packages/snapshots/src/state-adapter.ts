/** What a key can hold: JSON. */
export type StateJson = null | boolean | number | string | readonly StateJson[] | { readonly [key: string]: StateJson };

/** A value, and the version that the adapter knows it by; null if it keeps none. */
export interface StateValue {
  readonly value: StateJson;
  readonly version: string | null;
}

/** The version that a key must still have for a change to be made; null means that it must be absent. */
export interface ExpectedVersion {
  readonly version: string | null;
}

/**
 * A place where state lives under keys.
 *
 * An adapter with versions compares them at every change, and answers `conflict` without changing anything where the
 * key has another one; one without versions is never given an expectation.
 */
export interface StateAdapter {
  /** What it is called in a manifest. */
  readonly name: string;
  readonly hasVersions: boolean;
  /** The keys that begin with a prefix. */
  readonly list: (prefix: string) => Promise<readonly string[]>;
  /** What a key holds; null if there is no such key. */
  readonly get: (key: string) => Promise<StateValue | null>;
  readonly set: (key: string, value: StateJson, expected?: ExpectedVersion) => Promise<StateOutcome>;
  readonly delete: (key: string, expected?: ExpectedVersion) => Promise<StateOutcome>;
  readonly close?: () => Promise<void>;
}

export type StateOutcome = "done" | "conflict";
