/** What must not reach a log: the shapes of secrets, and what stands in their place. */
const SECRETS: readonly { readonly shape: RegExp; readonly instead: string }[] = [
  { shape: /\b([a-z][\w+.-]*:\/\/[^\s:/@]+):[^\s@]+@/gi, instead: "$1:***@" },
  {
    shape:
      /((?:pass(?:word|wd|phrase)?|secret|token|api[-_]?key|access[-_]?key|authorization|bearer)["']?\s*[:= ]\s*["']?)[^\s"']{4,}/gi,
    instead: "$1***",
  },
  { shape: /\b(?:gh[pousr]_|github_pat_|glpat-|xox[abprs]-|sk-|npm_|AKIA|ASIA|AIza|eyJ)[\w.-]{8,}/g, instead: "***" },
  { shape: /-----BEGIN[^-]*PRIVATE KEY-----.*/gs, instead: "***" },
];

/** A text on one line without secrets or control characters, for a log. */
export function redact(text: string): string {
  const line = text.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, " ");
  const clean = SECRETS.reduce((current, { shape, instead }) => current.replaceAll(shape, instead), line);
  return clean.length > MOST ? `${clean.slice(0, MOST)}…` : clean;
}

const MOST = 500;
