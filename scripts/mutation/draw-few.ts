import fc from "fast-check";

/** Few, and always the same: a run is short, and its score is not drawn by lot. */
const FEW = { numRuns: 10, seed: 1 };

/** A test that asks for more than this counts on them. */
const MANY = 1000;

/** fast-check for tests under mutation. */
const drawFew: typeof fc = {
  ...fc,
  assert: ((property: fc.IRawProperty<unknown>, { numRuns = FEW.numRuns }: fc.Parameters<unknown> = {}) =>
    fc.assert(property, numRuns > MANY ? { ...FEW, numRuns } : FEW)) as typeof fc.assert,
};

export default drawFew;
