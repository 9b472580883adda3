import { beforeEach, inject, vi } from "vitest";

/** What Stryker passes to its own set-up file, which runs before this one. */
const told = inject as (name: "globalNamespace" | "mode" | "mutantActivation" | "activeMutant") => string | undefined;

/** What Stryker and its mutants share. */
const stryker: {
  activeMutant?: string | undefined;
  currentTestId?: string | undefined;
  loadedFor?: string | undefined;
} = Reflect.get(globalThis, told("globalNamespace") ?? "") ?? {};

// Each mutant meets modules of its own: what another one left in a constant or a cache is gone.
if (stryker.loadedFor !== told("activeMutant")) {
  stryker.loadedFor = told("activeMutant");
  vi.resetModules();
}

// A mutant that is on only while tests run is off while a further test file is loaded.
if (told("mutantActivation") !== "static") stryker.activeMutant = undefined;

// Code that no particular test reaches is tried with all tests.
if (told("mode") === "dry-run" && process.env["MUTANTS_MEET"] === "all tests")
  beforeEach(() => {
    stryker.currentTestId = undefined;
  });
