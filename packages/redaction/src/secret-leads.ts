/** Words that a secret follows. */
export interface Lead {
  readonly name: string;
  /** Lower-case hints: the row is tried only if the text contains one. */
  readonly hints: readonly string[];
  /** A required context, for words that mean something else elsewhere. */
  readonly in?: RegExp;
  /** The words up to the secret's first character. */
  readonly before: RegExp;
  /** Where the secret ends, if not as a word or a string does: with the line, or with the quote that the lead opens. */
  readonly to?: "line" | "quote";
  /** Whether the value found is a secret; true by default. */
  readonly isSecret?: (value: string) => boolean;
}

/** Names of secrets, with any prefix: `DB_PASSWORD`, `authToken`. */
const NAME = String.raw`(?:passwords?|passwd|passphrase|passcode|secrets?|token|(?:api|access|private|secret|encryption|signing|account|master|service|license)[-_.]?keys?|credentials?)`;
/** Names that are parts of other words: `compass`, and the shell's own `PWD`. */
const SHORT_NAME = String.raw`(?:(?<![a-z])pass|(?<=[a-z]_)(?:pwd|auth)|(?<![a-z])_auth)`;
/** Words behind a name that make it the name of something else. */
const HARMLESS =
  "file|path|dir|name|id|ids|count|limit|budget|usage|used|max|min|length|len|size|type|kind|ttl|age|expir\\w{0,8}|url|uri|endpoint|host|env|var|format|policy|store|helper|provider|manager|prefix|index|field|header|hash|stdin|prompt|required|enabled|version|arn";
const SUFFIX = String.raw`(?:(?:[-_](?!(?:${HARMLESS})\b)[a-z0-9]{1,40}){0,3}|\d{1,4})`;
/** A quote, as deeply escaped as a string in a string in JSON. */
const QUOTE = String.raw`(?:\\{0,7}["'])?`;
/** What is assigned with: an equals sign with blanks on both sides or on none, since `TOKEN= make` assigns nothing. */
const EQUALS = String.raw`${QUOTE}(?:\]?\s{0,3}=>\s{0,3}|\s{1,4}:?={1,2}\s{1,4}|:?={1,2})`;
const COLON = String.raw`${QUOTE}\s{0,3}:\s{0,4}`;

const NAMES: readonly string[] = ["pass", "secret", "token", "key", "credential"];

/** A type or a state in the place of a value. */
const NO_VALUE =
  /^(?:string|str|number|int|integer|bool|boolean|bytes|text|any|unknown|null|none|nil|undefined|true|false|yes|no|required|optional|missing|invalid|expired|empty|ok|object|array|never|void|expected|\d{1,3})$/i;

const isValue = (value: string): boolean => !NO_VALUE.test(value);
/** In prose, `token: unexpected` is about a token. */
const looksRandom = (value: string): boolean =>
  isValue(value) && (/^\\*["']/.test(value) || /\d/.test(value) || value.length >= 16);
/** A port mapping or a user and a group. */
const isNoNumber = (value: string): boolean => !/^\d+(?::\d+)*$/.test(value);
const isOperand = (value: string): boolean => !value.startsWith("-");

let made: readonly Lead[] | undefined;

/** The table; every repetition is bounded, so that the time stays in proportion to the text. */
export function secretLeads(): readonly Lead[] {
  // Made when it is first asked for: most texts give no hint of a secret, and a hook starts for every event.
  made ??= makeTable();
  return made;
}

const makeTable = (): readonly Lead[] => [
  { name: "assignment", hints: NAMES, before: regex(String.raw`${NAME}${SUFFIX}${EQUALS}`), isSecret: isValue },
  {
    name: "assignment to a short name",
    hints: ["pass", "_pwd", "_auth"],
    before: regex(String.raw`${SHORT_NAME}${SUFFIX}${EQUALS}`),
    isSecret: isValue,
  },
  {
    name: "key variable",
    hints: ["_key="],
    before: /(?<!PUBLIC|PRIMARY|FOREIGN|SORT|CACHE|PARTITION|HOT|GROUP|ROUTING)_KEY=/g,
    isSecret: (value) => value.length >= 8,
  },
  { name: "connection string", hints: ["pwd="], before: /;\s{0,2}pwd=/gi },
  {
    name: "query of a URL",
    hints: ["sig=", "signature=", "key=", "auth=", "credential="],
    before: /[?&](?:sig|signature|key|auth|x-amz-(?:signature|credential))=/gi,
  },
  {
    name: "field",
    hints: ["pass", "key"],
    before: regex(String.raw`(?:passwords?|passwd|passphrase|(?:api|access|private|secret)[-_]?key)${COLON}`),
    isSecret: isValue,
  },
  {
    name: "field that may be prose",
    hints: NAMES,
    before: regex(String.raw`${NAME}${SUFFIX}${COLON}`),
    isSecret: looksRandom,
  },
  {
    name: "authorization header",
    hints: ["authorization"],
    before: regex(
      String.raw`authorization${QUOTE}\s{0,3}[:=]\s{0,4}${QUOTE}(?:(?:bearer|basic|token|digest|apikey|negotiate|key)\s{1,4})?`,
    ),
    isSecret: isValue,
  },
  {
    name: "bearer token",
    hints: ["bearer"],
    before: /\bbearer\s{1,4}/gi,
    isSecret: (value) => value.length >= 8 && looksRandom(value),
  },
  { name: "cookie header", hints: ["cookie"], before: regex(String.raw`\b(?:set-)?cookie\s{0,2}:\s{0,4}`), to: "line" },
  {
    name: "flag",
    hints: NAMES,
    before: regex(String.raw`(?<![\w-])(?:--(?!no-)|-(?!-))[a-z0-9-]{0,30}?(?:${NAME}|(?<=-)pass)\s{1,8}`),
    isSecret: isOperand,
  },
  { name: "netrc", hints: ["login"], before: /\blogin\s{1,8}\S{1,100}\s{1,8}password\s{1,8}/gi },
  {
    name: "curl user",
    hints: ["curl"],
    in: /\bcurl\b/,
    before: /\s(?:-[a-zA-Z]{0,6}[uU]|--user|--proxy-user)(?:\s{1,8}|=)?(?<open>["']?)[^\s:"'=]{1,128}:/g,
    to: "quote",
    isSecret: isNoNumber,
  },
  {
    name: "httpie user",
    hints: ["http", "xh"],
    in: /(?<![\w/.-])(?:https?|xhs?)\s/,
    before: /\s(?:-a|--auth)(?:\s{1,8}|=)(?<open>["']?)[^\s:"'=]{1,128}:/g,
    to: "quote",
  },
  {
    name: "curl cookie",
    hints: ["curl"],
    in: /\bcurl\b/,
    before: /\s(?:-b|--cookie)(?:\s{1,8}|=)/g,
    isSecret: (value) => value.includes("="),
  },
  {
    name: "mysql password",
    hints: ["mysql", "mariadb"],
    in: /\b(?:mysql\w{0,10}|mariadb)\b/,
    before: /\s-p(?=[^\s=])/g,
    isSecret: isNoNumber,
  },
  {
    name: "password behind -p",
    hints: [" -p"],
    in: /\b(?:sshpass|mongo\w{0,8}|twine|cqlsh|(?:docker|podman|buildah|skopeo|helm|az|oc)(?:\s[\w-]{1,20}){0,2}\slogin)\b/,
    before: /\s-p\s{0,8}/g,
    isSecret: (value) => isNoNumber(value) && isOperand(value),
  },
  { name: "redis password", hints: ["redis-cli"], in: /\bredis-cli\b/, before: /\s-a\s{1,8}/g },
  { name: "password of sqlcmd", hints: ["sqlcmd"], in: /\bsqlcmd\b/, before: /\s-P\s{0,8}/g },
  { name: "password of ldap", hints: ["ldap"], in: /\bldap[a-z]{3,8}\b/, before: /\s-w\s{1,8}/g },
  { name: "password of openssl", hints: ["-pass"], before: /\s-pass(?:in|out)?\s{1,8}["']?pass:/g },
];

function regex(source: string): RegExp {
  return new RegExp(source, "gi");
}

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
  OPENING.lastIndex = at;
  const [quote] = OPENING.exec(text) ?? [];
  if (quote !== undefined)
    return isFirst || /\w/.test(text.charAt(at + quote.length))
      ? Math.min(closing(text, at + quote.length, quote) + quote.length, text.length)
      : at;
  const isBehindQuote = !isFirst && /["']/.test(text.charAt(at - 1));
  return isBehindQuote && !/\w/.test(text.charAt(at)) ? at : runEnd(BARE, text, at);
}

/** Where a quote is closed: by the same mark, as deeply escaped as it was opened; the end of the text if it is never closed. */
function closing(text: string, from: number, quote: string): number {
  if (quote === '"') return runEnd(IN_DOUBLE_QUOTES, text, from);
  const found = text.indexOf(quote, from);
  return found === -1 ? text.length : found;
}

function runEnd(run: RegExp, text: string, at: number): number {
  run.lastIndex = at;
  return run.test(text) ? run.lastIndex : at;
}

const OPENING = /\\*["']/y;
const LINE = /[^"'\r\n]*/y;
const IN_DOUBLE_QUOTES = /(?:[^"\\]|\\[\s\S]?)*/y;
/** Signs of the shell end a bare word; a comma or a brace inside of one does not. */
const BARE = /(?:[^\s"'`\\;&|<>(),}]|\\+(?!["'\\])[\s\S]?|[,}](?=[\w!#$%*+./=@^~-]))+/y;
