/** Words in a key that announce a credential, or a client that would need one. */
const SECRET_WORDS: ReadonlySet<string> = new Set([
  "authorization",
  "bearer",
  "client",
  "clients",
  "credential",
  "credentials",
  "password",
  "pat",
  "secret",
  "secrets",
  "token",
  "tokens",
]);

/** Two words that do so together; a team's `key` alone is a name. */
const SECRET_PAIRS = /(?:^|_)(?:api|access|private)_?keys?(?:_|$)/;

/** The keys, dotted, under which a config keeps what it should not, at any depth. */
export function findSecretKeys(value: unknown, path: string = ""): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    const name = path === "" ? key : `${path}.${key}`;
    return isSecret(key) ? [name] : findSecretKeys(inner, name);
  });
}

function isSecret(key: string): boolean {
  const words = key
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "_");
  return SECRET_PAIRS.test(words) || words.split("_").some((word) => SECRET_WORDS.has(word));
}
