/**
 * Where the value that begins at a place ends, as a shell or JSON would read it: a quoted string, a bare word, or both
 * joined. `to` names another end: a quote that was opened before, or the line's.
 */
export function valueEnd(text: string, start: number, to?: string): number {
  if (to === "line") return runEnd(LINE, text, start);
  if (to !== undefined && to !== "") return closing(text, start, to);
  let at = start;
  for (;;) {
    const next = pieceEnd(text, at, at === start);
    if (next === at) return at;
    at = next;
  }
}

/** The end of a quoted or a bare piece; a quote behind a value closes what is around it, unless a word follows. */
function pieceEnd(text: string, at: number, isFirst: boolean): number {
  QUOTE.lastIndex = at;
  const [quote] = QUOTE.exec(text) ?? [];
  if (quote !== undefined)
    return isFirst || /\w/.test(text.charAt(at + quote.length))
      ? Math.min(closing(text, at + quote.length, quote) + quote.length, text.length)
      : at;
  const isBehindQuote = !isFirst && /["']/.test(text.charAt(at - 1));
  return isBehindQuote && !/\w/.test(text.charAt(at)) ? at : runEnd(BARE, text, at);
}

/** Where a quote is closed: by the same mark, as deeply escaped as it was opened; the text's end where it is cut off. */
function closing(text: string, from: number, quote: string): number {
  if (quote === '"') return runEnd(IN_DOUBLE_QUOTES, text, from);
  const found = text.indexOf(quote, from);
  return found === -1 ? text.length : found;
}

function runEnd(run: RegExp, text: string, at: number): number {
  run.lastIndex = at;
  return run.test(text) ? run.lastIndex : at;
}

const QUOTE = /\\*["']/y;
const LINE = /[^"'\r\n]*/y;
const IN_DOUBLE_QUOTES = /(?:[^"\\]|\\[\s\S]?)*/y;
/** Signs of the shell end a bare word; a comma or a brace inside of one does not. */
const BARE = /(?:[^\s"'`\\;&|<>(),}]|\\+(?!["'\\])[\s\S]?|[,}](?=[\w!#$%*+./=@^~-]))+/y;
