/** Words that say of tests that they pass. */
const GREEN = /\btests?\b.{0,40}\b(?:pass(?:es|ed|ing)?|green|succeed(?:s|ed)?)\b|\b(?:passing|green) tests?\b/i;

/** Words that take it back, leave it open, or say it of another time or of a part. */
const DOUBT =
  /\b(?:no|not|never|fail\w*|errors?|red|if|once|when|until|unless|should|would|will|can|may|must|needs?|to|before|after|expect\w*|except|only|but|some|most|previously|was|were|how|whether)\b|n['’]t\b|\?|\d+ (?:of|out of) \d+|\d+\/\d+/i;

/** Whether a text says, without a reservation in the same sentence, that tests pass. */
export function claimsGreen(text: string): boolean {
  return text.split(/(?<=[.!?])\s+|\n/).some((sentence) => GREEN.test(sentence) && !DOUBT.test(sentence));
}
