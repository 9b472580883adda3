/** A secret that is known by its own look. */
interface SecretShape {
  readonly name: string;
  /** Lower-case hints: the row is tried only if the text contains one, and most texts contain none. */
  readonly hints: readonly string[];
  /** Every repetition in it is bounded, or its characters cannot begin the next match: the time stays in proportion. */
  readonly shape: RegExp;
  /** The replacement; by default the marker. */
  readonly instead?: string;
}

let made: readonly SecretShape[] | undefined;

/** The shapes, those that hold others first. */
export function secretShapes(): readonly SecretShape[] {
  // Made when it is first asked for: most texts give no hint of a secret, and a hook starts for every event.
  made ??= makeTable();
  return made;
}

const makeTable = (): readonly SecretShape[] => [
  {
    name: "private key",
    hints: ["-----begin"],
    shape: /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z0-9 ]{0,60}-----|$)/g,
  },
  // Of a key whose beginning was cut off, everything up to its end may be a part.
  {
    name: "end of a private key",
    hints: ["-----end"],
    shape: /^[\s\S]*?-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g,
  },
  {
    name: "token in a URL",
    hints: ["://"],
    shape: /\b([a-z][a-z0-9+.-]{0,30}:\/\/)[\w~.-]{20,256}(?::x-oauth-basic)?@/gi,
    instead: "$1[redacted]@",
  },
  {
    name: "password in a URL",
    hints: ["://"],
    shape: /\b([a-z][a-z0-9+.-]{0,30}:\/\/[^\s/?#@:"'`<>]{0,256}:)(?!\$\{?\w+\}?@)[^\s/?#"'`<>]{1,512}@/gi,
    instead: "$1[redacted]@",
  },
  {
    name: "GitHub",
    hints: ["ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"],
    shape: /\b(?:gh[pousr]_[A-Za-z0-9]{16,255}|github_pat_\w{16,255})/g,
  },
  {
    name: "GitLab",
    hints: ["glpat-", "glptt-", "gldt-", "glrt-", "glcbt-", "glsoat-", "glft-", "glimt-", "glagent-", "gloas-"],
    shape: /\bgl(?:pat|ptt|dt|rt|cbt|soat|ft|imt|agent|oas)-[\w-]{16,255}/g,
  },
  { name: "AWS", hints: ["akia", "asia", "aroa", "aida"], shape: /\b(?:AKIA|ASIA|AROA|AIDA)[A-Z0-9]{16}\b/g },
  { name: "Slack", hints: ["xox", "xapp-"], shape: /\b(?:xox[abeoprs]-[\w-]{8,255}|xapp-\d-[\w-]{8,255})/g },
  {
    name: "webhook",
    hints: ["hooks.slack.com", "/webhooks/", "webhook.office"],
    shape:
      /(\bhooks\.slack\.com\/(?:services|workflows)\/|\bdiscord(?:app)?\.com\/api\/webhooks\/|\.webhook\.office\.com\/)[\w@/-]{8,300}/g,
    instead: "$1[redacted]",
  },
  // A class of a style sheet has neither digits nor capitals.
  { name: "OpenAI, Anthropic", hints: ["sk-"], shape: /\bsk-(?=[\w-]{0,60}[A-Z0-9])[\w-]{20,255}/g },
  {
    name: "Stripe",
    hints: ["k_live_", "k_test_", "whsec_"],
    shape: /\b(?:[srp]k_(?:live|test)_[A-Za-z0-9]{10,255}|whsec_[\w+/=]{16,255})/g,
  },
  {
    name: "Google",
    hints: ["aiza", "ya29.", "gocspx-"],
    shape: /\b(?:AIza[\w-]{30,60}|ya29\.[\w-]{16,500}|GOCSPX-[\w-]{20,60})/g,
  },
  { name: "npm", hints: ["npm_"], shape: /\bnpm_[A-Za-z0-9]{30,60}/g },
  { name: "PyPI", hints: ["pypi-"], shape: /\bpypi-[\w-]{40,500}/g },
  { name: "Hugging Face, Groq, xAI", hints: ["hf_", "gsk_", "xai-"], shape: /\b(?:hf_|gsk_|xai-)[A-Za-z0-9]{30,255}/g },
  { name: "SendGrid", hints: ["sg."], shape: /\bSG\.[\w-]{16,60}\.[\w-]{16,120}/g },
  { name: "Telegram", hints: [":aa"], shape: /\b\d{8,10}:AA[\w-]{32,34}/g },
  {
    name: "DigitalOcean, Databricks, Shopify",
    hints: ["_v1_", "dapi", "shpat_", "shpca_", "shppa_", "shpss_"],
    shape: /\b(?:do[opr]_v1_|dapi|shp(?:at|ca|pa|ss)_)[a-f0-9]{32,64}\b/g,
  },
  {
    name: "Vault, Doppler, Linear",
    hints: ["hvs.", "hvb.", "hvr.", "dp.", "lin_api_"],
    shape: /\b(?:hv[sbr]\.|dp\.[a-z]{2,5}\.|lin_api_)[\w-]{20,255}/g,
  },
  { name: "age", hints: ["age-secret"], shape: /\bAGE-SECRET-KEY-1[A-Z0-9]{20,100}/g },
  // The tokens of many services begin with a name of their own.
  {
    name: "named",
    hints: [
      "dckr_",
      "pscale_",
      "sntrys_",
      "sntryu_",
      "rubygems_",
      "glsa_",
      "glc_",
      "figd_",
      "sbp_",
      "ntn_",
      "nfp_",
      "r8_",
      "pplx-",
      "tskey-",
      "nrak-",
      "hrku-",
      "cfpat-",
      "atatt3",
      "atbb",
    ],
    shape:
      /\b(?:dckr_[po]at_|pscale_[a-z]{2,5}_|sntry[su]_|rubygems_|glsa_|glc_|figd_|sbp_|ntn_|nfp_|r8_|pplx-|tskey-[a-z]{2,10}-|NRAK-|HRKU-|CFPAT-|ATATT3|ATBB)(?=[\w=-]{0,60}\d)[\w=-]{20,400}/g,
  },
  // `eyJ` is how an object of JSON begins in base64; the rest may have been cut off.
  { name: "JWT", hints: ["eyj"], shape: /(?<![A-Za-z0-9])eyJ[\w-]{10,4000}(?:\.[\w-]{0,4000}){0,2}/g },
];
