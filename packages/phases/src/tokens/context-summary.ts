import { createRequire } from "node:module";
import type * as Tokenizer from "gpt-tokenizer/encoding/o200k_base";

/** Whether a summary is small enough to be handed on. */
export interface SummaryCheck {
  readonly valid: boolean;
  /** The tokens by the rule of the protocol. */
  readonly tokenCount: number;
  readonly limit: number;
  readonly error?: string;
}

/** How many tokens a context summary may have. */
export const SUMMARY_LIMIT = 500;

/** A word of dense technical prose is two or three tokens to a model; above that, white space has stopped counting words. */
const ESTIMATED_PER_TOKEN = 3;

/** A line of dashes is one word and few tokens, and still no summary. */
const BYTES_PER_TOKEN = 24;

/** Checks the length of a summary, first in words, then in a model's tokens. */
export function validateContextSummary(summary: unknown, maxTokens: number = SUMMARY_LIMIT): SummaryCheck {
  const limit = Number.isInteger(maxTokens) && maxTokens > 0 ? maxTokens : SUMMARY_LIMIT;
  if (typeof summary !== "string") {
    return { valid: false, tokenCount: 0, limit, error: `Context summary must be a string (found ${kindOf(summary)})` };
  }
  const tokenCount = countTokens(summary);
  const error =
    tokenCount > limit
      ? `Context summary exceeds ${limit} token limit (actual: ${tokenCount} tokens)`
      : sizeError(summary, limit);
  return error === null ? { valid: true, tokenCount, limit } : { valid: false, tokenCount, limit, error };
}

/** The second limit, for large text with few words. */
function sizeError(summary: string, limit: number): string | null {
  const most = limit * ESTIMATED_PER_TOKEN;
  const bytes = Buffer.byteLength(summary);
  // No token is shorter than a byte, so a text this short need not be looked at.
  if (bytes <= most) return null;
  const estimated = estimateTokens(summary);
  if (estimated > most) return `Context summary exceeds ${most} estimated tokens (estimated: ${estimated} tokens)`;
  if (bytes > limit * BYTES_PER_TOKEN)
    return `Context summary exceeds ${limit * BYTES_PER_TOKEN} bytes (actual: ${bytes} bytes)`;
  return null;
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

/** The tokens of a text as the protocol counts them: words between white space. */
export function countTokens(text: string): number {
  return typeof text === "string" ? text.split(/\s+/).filter(Boolean).length : 0;
}

/** As much of one word, or of white space, as the tokenizer gets at a time: it takes time by the square of the length. */
const LONG_RUN = /\S{256}|\s{256}/gu;

/** Words such as `<|endoftext|>` are text here and nothing else. */
const AS_TEXT = { disallowedSpecial: new Set<string>() };

/** Without the tokenizer, four bytes count as a token: prose has four to five, dense code three. */
const BYTES_PER_ESTIMATED_TOKEN = 4;

/**
 * The tokens of a text as a model counts them; models differ by some percent.
 *
 * They are counted by the o200k encoding if `gpt-tokenizer` is installed. Its tables are 28 MB, so it is an optional
 * part: without it the bytes are an estimate.
 */
export function estimateTokens(text: string): number {
  if (typeof text !== "string" || text === "") return 0;
  const library = loadTokenizer();
  if (library === null) return Math.ceil(Buffer.byteLength(text) / BYTES_PER_ESTIMATED_TOKEN);
  return piecesOf(text).reduce((sum, piece) => sum + library.countTokens(piece, AS_TEXT), 0);
}

/** The text, cut inside of long words only. */
function piecesOf(text: string): string[] {
  const cuts = [...text.matchAll(LONG_RUN)].map((run) => run.index + run[0].length);
  return [0, ...cuts].map((start, at) => text.slice(start, cuts[at]));
}

let tokenizer: typeof Tokenizer | null | undefined;

/** The library's table takes a quarter of a second to load, so it waits for the first text that needs it. */
function loadTokenizer(): typeof Tokenizer | null {
  if (tokenizer !== undefined) return tokenizer;
  try {
    tokenizer = createRequire(import.meta.url)("gpt-tokenizer/encoding/o200k_base") as typeof Tokenizer;
  } catch {
    tokenizer = null;
  }
  return tokenizer;
}
