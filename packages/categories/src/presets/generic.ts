import type { Action, Category, Rules } from "../types.ts";
import { QUIET } from "./quiet.ts";

const TEST_FILES = [
  "**/{test,tests,__tests__,spec,specs,e2e}/**/*.{c,cc,cpp,cs,dart,ex,exs,go,java,js,jsx,kt,kts,mjs,mts,php,py,rb,rs,scala,sh,swift,ts,tsx}",
  "**/*.{test,spec}.{js,jsx,cjs,mjs,ts,tsx,cts,mts}",
  "**/{test_*,*_test,conftest}.py",
  "**/*_test.{go,exs,dart}",
  "**/*_{spec,test}.rb",
  "**/*{Test,Tests}.{java,kt,cs,php,swift}",
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
    include: [
      "**/*.{c,cc,cpp,cxx,h,hh,hpp,cs,fs,vb,clj,cljs,dart,erl,ex,exs,go,groovy,hs,java,jl,js,jsx,cjs,mjs,kt,kts,lua,m,mm,ml,mli,nim,php,pl,pm,py,pyi,r,rb,rs,scala,sol,sql,svelte,swift,ts,tsx,cts,mts,vue,zig}",
    ],
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
