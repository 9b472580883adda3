/** Offers of a next step for finished work, and phrases of courtesy: nothing in the work depends on the answer. */
const OFFER =
  /\b(?:commit|push|pull request|PR|merge|deploy|release|publish|ship|tests?|verify|build|lint|explain|help|(?:any|some)thing else|clean up)\b/i;

/** Whether an agent's last words ask the user something that the work depends on. */
export function isQuestion(words: string): boolean {
  const text = words.trimEnd().replace(/[*_`")\]]+$/, "");
  if (!/[?？]$/.test(text)) return false;
  const sentence = text.slice(0, -1).replace(/^[^]*(?:[.!?:]\s|\n)/, "");
  return !OFFER.test(sentence);
}
