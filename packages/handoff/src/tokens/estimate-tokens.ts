import { createRequire } from "node:module";
import type * as Tokenizer from "gpt-tokenizer/encoding/o200k_base";

/** As much of one word, or of white space, as the tokenizer gets at a time: it takes time by the square of the length. */
const LONG_RUN = /\S{256}|\s{256}/gu;

/** Words such as `<|endoftext|>` are text here and nothing else. */
const AS_TEXT = { disallowedSpecial: new Set<string>() };

/** The tokens of a text as a model counts them, by the o200k encoding; models differ by some percent. */
export function estimateTokens(text: string): number {
  if (typeof text !== "string" || text === "") return 0;
  const { countTokens } = loadTokenizer();
  return piecesOf(text).reduce((sum, piece) => sum + countTokens(piece, AS_TEXT), 0);
}

/** The text, cut inside of long words only. */
function piecesOf(text: string): string[] {
  const cuts = [...text.matchAll(LONG_RUN)].map((run) => run.index + run[0].length);
  return [0, ...cuts].map((start, at) => text.slice(start, cuts[at]));
}

let tokenizer: typeof Tokenizer | null = null;

/** The library's table takes a quarter of a second to load, so it waits for the first text that needs it. */
function loadTokenizer(): typeof Tokenizer {
  tokenizer ??= createRequire(import.meta.url)("gpt-tokenizer/encoding/o200k_base") as typeof Tokenizer;
  return tokenizer;
}
