/**
 * The text of a part: a module of CommonJS in the function that its loader calls.
 * The build writes it so: put together at every start, it would be held in memory twice, and the garbage collector run for it.
 */
export function asPart(module: string): string {
  return `(function (exports, require, module, __filename, __dirname) {${module}\n})`;
}
