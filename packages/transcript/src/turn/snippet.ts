const LIMIT = 500;
const HEAD = 240;
const GAP = "\n[…]\n";

/** At most 500 characters of a text: its head and its tail, so that an exit line at either end survives. */
export const snippet = (text: string): string => {
  if (text.length <= LIMIT) return text;
  const cut = text.slice(0, HEAD) + GAP + text.slice(HEAD + GAP.length - LIMIT);
  // A cut can go through a character; the search for halves also frees the text, which the slices would keep in memory.
  return cut.replace(/\p{Surrogate}/gu, "");
};
