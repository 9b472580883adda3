/** A text with a secret, and the text without it; `row` is the row of the tables that knows it. */
export interface SecretText {
  readonly row: string;
  readonly text: string;
  readonly clean: string;
  /** What must not remain afterwards. */
  readonly secret: string;
}

/** Put together here, so that no scanner takes a file of the repository for one that holds secrets. */
const join = (...parts: readonly string[]): string => parts.join("");
const letters = (length: number): string => "aB3dE5gH7jK9mN1pQ2sT4vW6yZ8".repeat(8).slice(0, length);

const GITHUB = join("gh", "p_", letters(36));
const FINE_GRAINED = join("github", "_pat_", letters(22), "_", letters(59));
const GITLAB = join("gl", "pat-", letters(20));
const AWS = join("AK", "IA", "QWERTYUIOPASDFGH");
const SLACK = join("xo", "xb-", "123456789012-", letters(24));
const ANTHROPIC = join("sk", "-ant-api03-", letters(60));
const OPENAI = join("sk", "-proj-", letters(40));
const STRIPE = join("sk", "_live_", letters(24));
const GOOGLE = join("AI", "za", letters(35));
const NPM = join("np", "m_", letters(36));
const PYPI = join("py", "pi-", letters(60));
const HUGGING_FACE = join("h", "f_", letters(34));
const SENDGRID = join("S", "G.", letters(22), ".", letters(43));
const TELEGRAM = join("1234567890:", "AA", letters(33));
const DIGITAL_OCEAN = join("do", "p_v1_", "0123456789abcdef".repeat(4));
const VAULT = join("hv", "s.", letters(24));
/** How the tokens of services begin: Docker, PlanetScale, Sentry, Grafana, Figma, Supabase, Notion, Tailscale, Atlassian. */
const NAMED =
  "dckr_pat_ pscale_pw_ sntrys_ rubygems_ glsa_ figd_ sbp_ ntn_ r8_ tskey-auth- NRAK- CFPAT- ATATT3 ATBB".split(" ");
const AGE = join("AGE-SECRET", "-KEY-1", "QWERTYUIOP".repeat(5));
const JWT = join("ey", "JhbGciOiJIUzI1NiJ9.", "eyJzdWIiOiIxIn0.", letters(43));
const [BEGIN, END] = ["-----BEGIN", "-----END"].map((word) => join(word, " OPENSSH PRIVATE", " KEY-----"));
const PEM_BODY = `${letters(64)}\n${letters(64)}`;
const PEM = `${BEGIN}\n${PEM_BODY}\n${END}`;
const WORD = "hunter2-Correct";
const PHRASE = "hunter2 battery staple";

/** A whole text that is the secret. */
const whole = (row: string, secret: string): SecretText => ({ row, text: secret, clean: "[redacted]", secret });
/** A text with `…` in place of the secret. */
const within = (row: string, frame: string, secret: string = WORD): SecretText => ({
  row,
  text: frame.replace("…", () => secret),
  clean: frame.replace("…", "[redacted]"),
  secret,
});

/** The longest word of a secret, by which it is found again: no encoding splits or changes it. */
export function traceOf({ secret }: Pick<SecretText, "secret">): string {
  return secret.split(/[^\w.-]+/).reduce((best, word) => (word.length > best.length ? word : best), "");
}

/** The table of what is taken out. */
export const SECRET_TEXTS: readonly SecretText[] = [
  within("private key", "echo '…' > id", PEM),
  within("private key", "ssh-add - <<< $'…'", PEM.replaceAll("\n", "\\n")),
  { row: "private key", text: `cat <<E\n${BEGIN}\n${letters(40)}`, clean: "cat <<E\n[redacted]", secret: letters(40) },
  { row: "end of a private key", text: `${PEM_BODY}\n${END} > id`, clean: "[redacted] > id", secret: letters(64) },
  within("token in a URL", "git push https://…@github.com/a/b", letters(40)),
  within("token in a URL", "git push https://…@github.com/a/b", `${letters(40)}:x-oauth-basic`),
  within("password in a URL", "psql postgresql://app:…@db:5432/app"),
  within("password in a URL", "redis-cli -u redis://:…@cache"),
  within("password in a URL", "curl 'https://me:…@host/path?x=1'", "hunter2x@pass:word"),
  whole("GitHub", GITHUB),
  whole("GitHub", FINE_GRAINED),
  within("GitHub", "gh auth login --with-token <<< …", GITHUB),
  whole("GitLab", GITLAB),
  within("AWS", "aws configure set aws_access_key_id …", AWS),
  whole("Slack", SLACK),
  within("webhook", "curl -d x https://hooks.slack.com/services/…", `T0000/B0000/${letters(24)}`),
  whole("OpenAI, Anthropic", ANTHROPIC),
  whole("OpenAI, Anthropic", OPENAI),
  whole("Stripe", STRIPE),
  within("Google", "curl 'https://maps.example.com/api?x=1&k=…'", GOOGLE),
  whole("npm", NPM),
  whole("PyPI", PYPI),
  whole("Hugging Face, Groq, xAI", HUGGING_FACE),
  whole("SendGrid", SENDGRID),
  within("Telegram", "curl https://api.telegram.org/bot/…/getMe", TELEGRAM),
  whole("DigitalOcean, Databricks, Shopify", DIGITAL_OCEAN),
  whole("Vault, Doppler, Linear", VAULT),
  whole("age", AGE),
  whole("JWT", JWT),
  within("JWT", "the service account is ops_…", JWT),
  ...NAMED.map((start) => within("named", "please use … for it", join(start.slice(0, 2), start.slice(2), letters(40)))),
  { row: "JWT", text: `${JWT.slice(0, 15)}…`, clean: "[redacted]…", secret: JWT.slice(0, 15) },
  within("assignment", "FOO_TOKEN=… make deploy"),
  within("assignment", 'export FOO_SECRET="…" && make', PHRASE),
  within("assignment", "DB_PASSWORD='…' make", PHRASE),
  within("assignment", "DB_PASSWORD=… make", 'hunter2x"b c"d'),
  within("assignment", 'bash -c "FOO_TOKEN=… make"'),
  within("assignment", String.raw`bash -c "FOO_TOKEN=\"…\" make"`, PHRASE),
  within("assignment", "docker run -e POSTGRES_PASSWORD=… postgres"),
  within("assignment", "mysql --password=… app"),
  within("assignment", "SECRET_KEY_BASE=… rails s"),
  within("assignment", "aws_secret_access_key = …", letters(40)),
  within("assignment", "curl 'https://host/?access_token=…&x=1'"),
  within("assignment", "npm config set //registry.example.com/:_authToken=…"),
  within("assignment", 'if [ "$TOKEN" = "…" ]; then'),
  within("assignment", "password = '…", "hunter2x cut off"),
  within("assignment", "git config credential.token=…"),
  within("assignment to a short name", "DB_PASS=… make"),
  within("assignment to a short name", "MYSQL_PWD=… mysql"),
  within("assignment to a short name", "REDIS_AUTH=… make"),
  within("key variable", "STRIPE_KEY=… npm start"),
  within("connection string", "dotnet ef 'Server=db;Pwd=…;Database=x'"),
  within("query of a URL", "azcopy 'https://x.blob.example.net/c?sv=1&sig=…&se=2'", "hunter2x%2Bdef"),
  within("field", `curl -d '{"user":"me","password":"…","x":1}' host`, PHRASE),
  within("field", "password: …"),
  within("field", 'curl -H "X-Api-Key: …" host'),
  within("field", "curl -H 'api-key:…' host"),
  within("field that may be prose", `curl -d '{"refresh_token": "…"}' host`),
  within("field that may be prose", String.raw`curl -d "{\"client_secret\": \"…\"}" host`, PHRASE),
  within("field that may be prose", 'curl -H "PRIVATE-TOKEN: …" host'),
  within("authorization header", 'curl -H "Authorization: Bearer …" host', "hunter2x"),
  within("authorization header", "curl -H 'authorization: Basic …' host", "bWU6cHc="),
  within("authorization header", "curl -H 'Authorization: …' host", letters(20)),
  within("authorization header", `{"Authorization":"token …"}`),
  within("bearer token", "wscat -H Auth:Bearer …", letters(24)),
  within("cookie header", 'curl -H "Cookie: …" host', "sid=hunter2x; other=hunter3x"),
  within("flag", "mysqldump --password … app"),
  within("flag", "vault login -token …"),
  within("flag", 'tool --api-key "…" run', PHRASE),
  within("flag", "tool --client-secret … run"),
  within("flag", "restic --repo-pass … run"),
  within("netrc", "machine host login me password …"),
  within("curl user", "curl -u me:… https://host"),
  within("curl user", "curl -sSu me:… https://host"),
  within("curl user", "curl --user 'me:…' https://host", PHRASE),
  within("curl user", "curl -U me:… -x proxy https://host"),
  within("httpie user", "http -a me:… host/path"),
  within("curl cookie", "curl -b … host", "sid=hunter2x"),
  within("mysql password", "mysql -uroot -p… app"),
  within("mysql password", "docker exec db mysqldump -p'…' app", PHRASE),
  within("password behind -p", "sshpass -p … ssh host"),
  within("password behind -p", "docker login -u me -p … registry.example.com"),
  within("redis password", "redis-cli -h host -a … ping"),
  within("password of sqlcmd", "sqlcmd -U sa -P … -Q x"),
  within("password of ldap", "ldapsearch -x -D cn=me -w … dn"),
  within("password of openssl", "openssl rsa -in k -passin pass:… -out o"),
];
