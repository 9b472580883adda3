import { expect, test } from "vitest";
import { sensitiveName } from "./sensitive-names.ts";

test.for<[string, string | null]>([
  [".env", "env-file"],
  ["app/.env.production", "env-file"],
  [".env-local", "env-file"],
  ["prod.env", "env-file"],
  [".envrc", "env-file"],
  [".env.example", null],
  [".env.production.sample", null],
  [".env.template", null],
  [".environment", null],
  ["src/env.ts", null],
  ["tls/server.key", "private-key"],
  ["server.PEM", "private-key"],
  ["id_ed25519", "ssh-key"],
  ["id_ed25519.pub", null],
  ["home/.ssh/config", "key-folder"],
  [".aws/config", "key-folder"],
  [".npmrc", "credential-file"],
  ["credentials.json", "credential-file"],
  ["src/credentials.ts", null],
  ["terraform.tfstate", "credential-file"],
  ["keyboard.ts", null],
  ["monkey", null],
])("%s", ([path, rule]) => {
  expect(sensitiveName(path)?.rule ?? null).toBe(rule);
});
