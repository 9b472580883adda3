// What agents and people say in English, as far as a judgement depends on it; in doubt nothing was said.

/** Words that say of tests that they pass. */
const GREEN = /\btests?\b.{0,40}\b(?:pass(?:es|ed|ing)?|green|succeed(?:s|ed)?)\b|\b(?:passing|green) tests?\b/i;

/** Words that take it back, leave it open, or say it of another time or of a part. */
const DOUBT =
  /\b(?:no|not|never|fail\w*|errors?|red|if|once|when|until|unless|should|would|will|can|may|must|needs?|to|before|after|expect\w*|except|only|but|some|most|previously|was|were|how|whether)\b|n['’]t\b|\?|\d+ (?:of|out of) \d+|\d+\/\d+/i;

/** Whether a text says, without a reservation in the same sentence, that tests pass. */
export function claimsGreen(text: string): boolean {
  return text.split(/(?<=[.!?])\s+|\n/).some((sentence) => GREEN.test(sentence) && !DOUBT.test(sentence));
}

const NOT_RUN = /\b(?:do not|don['’]?t|no need to|without)\s+(?:run(?:ning)?|execut(?:e|ing))\s+/;
const SKIP = /(?<!(?:\bnot|n['’]?t|\bnever)\s)\bskip\s+/;
const TESTS = /(?:anything|(?:(?:the|any|all|unit)\s+)*(?:tests?(?: suite)?|testing|suite))/;
/** What follows tells when, or which: `don't run the tests until ...` is no such wish. */
const END = /(?=\s*(?:$|[.,;:!?)]|(?:for now|yet|this time|please|and|but|here)\b))/;
const NOT_NEEDED = /\b(?:no tests?|tests? (?:are|is)(?: not|n['’]t)) (?:needed|necessary|required)\b/;

const WITHOUT_TESTS = new RegExp(
  `(?:${NOT_RUN.source}|${SKIP.source})${TESTS.source}${END.source}|${NOT_NEEDED.source}`,
  "im",
);

/** Whether a prompt says that tests are not to be run. */
export function wantsNoTests(prompt: string): boolean {
  return WITHOUT_TESTS.test(prompt);
}

/** Offers of a next step for finished work, and phrases of courtesy: nothing in the work depends on the answer. */
const OFFER =
  /\b(?:commit|push|pull request|PR|merge|deploy|release|publish|ship|tests?|verify|build|lint|explain|help|(?:any|some)thing else|do next|clean up|(?:check|try) (?:it|this|that|again))\b/i;

/** The answers to choose from, below a question. */
const ANSWERS = /(?:\n+[ \t]*(?:[-*•]|\(?\w[.)])[ \t][^\n]*)+$/;

/** The work stopped halfway for something that only the user has. */
const WAITS =
  /\b(?:I need|I(?:'m| am) (?:waiting|blocked))\b[^.!?\n]*\b(?:before I can|from you|your (?:answer|decision|choice|input))\b/i;

/** Whether an agent's last words ask the user for something that the work depends on. */
export function isQuestion(words: string): boolean {
  if (WAITS.test(words)) return true;
  const text = words
    .trimEnd()
    .replace(ANSWERS, "")
    .trimEnd()
    .replace(/[*_`")\]]+$/, "");
  if (!/[?？]$/.test(text)) return false;
  const sentence = text.slice(0, -1).replace(/^[^]*(?:[.!?:]\s|\n)/, "");
  return !OFFER.test(sentence);
}
