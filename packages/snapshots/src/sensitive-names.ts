import { type BytePath, nameOf } from "./paths.ts";

/** A rule about file names that say that a secret is inside. */
interface NameRule {
  readonly rule: string;
  readonly reason: string;
  /** Against the last part of a path, in lower case. */
  readonly name?: RegExp;
  /** Against the folders on the way, in lower case. */
  readonly folder?: RegExp;
}

/** The first rule that fits is named in the warning. */
const NAME_RULES: readonly NameRule[] = [
  {
    rule: "env-file",
    reason: "an environment file",
    name: /^\.env(?!rc$)([.-](?!.*(example|sample|template|dist|defaults?)$).*)?$|^\.envrc$|\.env$/,
  },
  { rule: "private-key", reason: "a private key", name: /\.(pem|key|p12|pfx|pkcs12|jks|keystore|ppk|asc|gpg|kdbx?)$/ },
  { rule: "ssh-key", reason: "an SSH key", name: /^id_(rsa|dsa|ecdsa|ed25519|ecdsa_sk|ed25519_sk)$/ },
  { rule: "key-folder", reason: "in a folder of keys", folder: /(^|\/)\.(ssh|gnupg|aws|azure|kube|docker|gcloud)\// },
  {
    rule: "credential-file",
    reason: "a file of credentials",
    name: /^(\.npmrc|\.yarnrc|\.pypirc|\.netrc|_netrc|\.pgpass|\.my\.cnf|\.htpasswd|\.git-credentials|\.dockercfg|\.vault-token|\.terraformrc|terraform\.rc|secrets?\.(ya?ml|json|toml)|credentials(\.(json|ya?ml|toml|ini|csv|db))?|client_secret.*\.json|service[-_]?account.*\.json|.*\.tfstate(\.backup)?|.*\.tfvars)$/,
  },
];

/** The rule by which a name is taken to hold a secret; null for an ordinary one. */
export function sensitiveName(path: BytePath): { readonly rule: string; readonly reason: string } | null {
  const lower = path.toLowerCase();
  const name = nameOf(lower);
  const found = NAME_RULES.find((row) => row.name?.test(name) === true || row.folder?.test(lower) === true);
  return found === undefined ? null : { rule: found.rule, reason: found.reason };
}
