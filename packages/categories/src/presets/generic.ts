import { CODE_EXTENSIONS } from "@agent-checkpoint/reports/languages";
import type { Action, Category, Rules } from "../types.ts";
import { QUIET } from "./quiet.ts";

const CODE = `{${CODE_EXTENSIONS.join(",")}}`;

const TEST_FILES = [
  `**/{test,tests,__tests__,spec,specs,e2e}/**/*.${CODE}`,
  `**/{test_*,*_test,*_tests,*_spec,*.test,*.spec,*Test,*Tests,*Spec,conftest}.${CODE}`,
];

const MANIFESTS = [
  "**/package.json",
  "**/{package-lock,npm-shrinkwrap,deno}.json",
  "**/{pnpm-lock,pnpm-workspace}.yaml",
  "**/{yarn,bun,uv,poetry,Pipfile,Cargo,Gemfile,composer,flake,mix,pubspec}.lock",
  "**/requirements*.txt",
  "**/{pyproject,Cargo,Pipfile}.toml",
  "**/{Pipfile,Gemfile,go.mod,go.sum,go.work,composer.json,pom.xml,build.gradle,build.gradle.kts,settings.gradle}",
];

const CATEGORIES = [
  {
    id: "tests-only",
    label: "tests",
    plural: true,
    include: TEST_FILES,
    action: null,
    tests: true,
    alone: { label: "tests only", instruction: "Run targeted tests for changed behavior before commit" },
  },
  {
    id: "manifests",
    label: "manifests and lock files",
    plural: true,
    include: MANIFESTS,
    action: null,
    tests: false,
  },
  {
    id: "configuration",
    label: "configuration",
    include: [
      "**/*.{json,jsonc,json5,yml,yaml,toml,ini,cfg,conf,properties,env}",
      "**/.*rc",
      "**/.env*",
      "**/{Dockerfile,Containerfile,Makefile,justfile,Procfile,Brewfile}*",
    ],
    exclude: MANIFESTS,
    action: null,
    tests: false,
  },
  {
    id: "source-code",
    label: "code",
    include: [`**/*.${CODE}`],
    exclude: TEST_FILES,
    action: null,
    tests: true,
  },
] as const satisfies readonly Category[];

const ACTIONS = [
  {
    id: "tests",
    stage: "validate",
    instruction: "Run targeted tests for changed behavior",
    steps: [
      {
        run: "the tests",
        called: "a run of the tests",
        evidence: [],
      },
    ],
  },
] as const satisfies readonly Action[];

/** The rules of any other repository: they judge only what this session changed, and block only if something is missing. */
export const GENERIC: Rules = { ...QUIET, preset: "generic", categories: CATEGORIES, actions: ACTIONS };
