/**
 * Measures the hook beside bare node, git and what people use instead: each call a process of its own, all of them
 * interleaved in one run. docs/performance.md explains the figures.
 *
 * node bench/hook.ts [--quick] [--check | --record] [--only flag,prompt,block-50] [--rounds 40] [--memory-rounds 5]
 *   [--hook one/checkpoint-hook.cjs --hook other/checkpoint-hook.cjs] [--no-alternatives] [--json file]
 */
import { installedAlternatives, rerunWithAlternatives } from "./alternatives/rerun-with-alternatives.ts";
import { chooseCases } from "./choose-cases.ts";
import { measureCases } from "./measure-cases.ts";
import { readOptions } from "./options.ts";

const options = readOptions(process.argv.slice(2));
const cases = chooseCases(options);
const installed = installedAlternatives(process.env);
process.exitCode =
  cases.alternatives.length > 0 && installed === null
    ? rerunWithAlternatives(cases.alternatives.map(({ alternative }) => alternative))
    : await measureCases(options, cases, installed);
