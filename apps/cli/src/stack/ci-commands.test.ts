import { expect, test } from "vitest";
import { ciCommands } from "./ci-commands.ts";
import { treeOf } from "./testing/stack-cases.ts";

const GITHUB = `
on: push
jobs:
  test:
    strategy: { matrix: { node: [22, 24] } }
    steps:
      - uses: actions/setup-node@v4
        with:
          node-version: \${{ matrix.node }}
      - run: npm ci
      - name: Test
        run: |
          cd web
          npm test -- --shard=\${{ matrix.shard }}
`;
const GITLAB = `
stages: [test]
variables: { A: b }
unit:
  script:
    - pip install tox
    - [tox -e py312]
lint:
  script: make lint
`;

test("what the steps run, as words", () => {
  const tree = treeOf({
    ".github/workflows/ci.yml": GITHUB,
    ".github/workflows/notes.md": "",
    ".gitlab-ci.yml": GITLAB,
  });
  expect(ciCommands(tree).map(({ argv, where }) => `${where}: ${argv.join(" ")}`)).toEqual([
    ".github/workflows/ci.yml: npm ci",
    ".github/workflows/ci.yml: cd web",
    ".github/workflows/ci.yml: npm test -- --shard=x",
    ".gitlab-ci.yml: pip install tox",
    ".gitlab-ci.yml: tox -e py312",
    ".gitlab-ci.yml: make lint",
  ]);
});

test("files that are none give nothing", () => {
  expect(ciCommands(treeOf({ ".github/workflows/a.yml": "{{", ".gitlab-ci.yml": "- x" }))).toEqual([]);
});
