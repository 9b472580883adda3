import { type Action, type Category, type Rules, TESTS_ACTION } from "../types.ts";
import { type Install, type Language, type LanguageName, LANGUAGES } from "./languages.ts";
import { QUIET } from "./quiet.ts";

const MANIFESTS = LANGUAGES.flatMap(({ manifests }) => manifests);

/**
 * The preset of a language: a change to its code asks for tests, one to its manifests for the dependencies.
 * Files of the other languages have rows that ask for nothing; a config gives them an action under the same id.
 */
function languageRules({ id: main, install }: Language): Rules {
  return {
    ...QUIET,
    preset: main,
    categories: [
      ...LANGUAGES.filter(({ id }) => id === main).map(testsOnly),
      ...LANGUAGES.map((language) => manifestsOf(language, language.id === main)),
      CONFIGURATION,
      ASSETS,
      ...LANGUAGES.map((language) => codeOf(language, language.id === main)),
      OTHER_CODE,
    ],
    actions: [
      installAction(install),
      {
        id: TESTS_ACTION,
        stage: "validate",
        instruction: "Run targeted tests for changed behavior",
        steps: [{ run: "the tests", called: "a run of the tests", evidence: [] }],
      },
    ],
  };
}

function installAction({ instruction, run, called, calls }: Install): Action {
  const evidence = calls.flatMap(([programs, words]) =>
    programs.split(" ").flatMap((program) => words.split(", ").map((word) => `${program} ${word}`.trim())),
  );
  const step = called === undefined ? { run, evidence } : { run, called, evidence };
  return { id: "install", stage: "prepare", instruction, steps: [step] };
}

function testsOnly({ testFiles }: Language): Category {
  return {
    id: "tests-only",
    label: "tests",
    plural: true,
    include: testFiles,
    action: null,
    tests: true,
    alone: { label: "tests only", instruction: "Run targeted tests for changed behavior before commit" },
  };
}

function manifestsOf({ id, name, manifests }: Language, isMain: boolean): Category {
  return {
    id: `${id}-manifests`,
    label: isMain ? "manifests and lock files" : `${name} manifests`,
    plural: true,
    include: manifests,
    action: isMain ? "install" : null,
    tests: false,
  };
}

function codeOf({ id, name, sources, testFiles }: Language, isMain: boolean): Category {
  return {
    id: `${id}-code`,
    label: isMain ? "code" : `${name} code`,
    include: sources,
    exclude: isMain ? testFiles : [],
    action: null,
    tests: isMain,
  };
}

const CONFIGURATION: Category = {
  id: "configuration",
  label: "configuration",
  include: [
    "**/*.{json,jsonc,json5,yml,yaml,toml,ini,cfg,conf,properties,env,xml,plist,tf,tfvars,hcl,nix}",
    "**/.*rc",
    "**/.env*",
    "**/.{nvmrc,node-version,python-version,ruby-version,tool-versions}",
    "**/{Dockerfile,Containerfile,Makefile,GNUmakefile,makefile,justfile,Justfile,Procfile,Brewfile}*",
    "**/*.mk",
  ],
  exclude: MANIFESTS,
  action: null,
  tests: false,
};

/** Files that a language's own tests rarely look at. */
const ASSETS: Category = {
  id: "assets",
  label: "other project files",
  plural: true,
  include: [
    "**/*.{css,scss,sass,less,styl,pcss,html,htm,ejs,hbs,pug,njk,erb,haml,slim,jinja,jinja2,j2,liquid,mustache,tmpl,gotmpl,ftl}",
    "**/*.{sql,prisma,graphql,gql,proto,thrift,avsc}",
    "**/*.{sh,bash,zsh,fish,ps1,bat,cmd}",
    "**/*.{csv,tsv,snap,po,pot,woff,woff2,ttf,otf,mp3,mp4,wav,zip,gz}",
  ],
  action: null,
  tests: false,
};

const OTHER_CODE: Category = {
  id: "other-code",
  label: "code of other languages",
  include: [
    "**/*.{c,cc,cpp,cxx,h,hh,hpp,cs,fs,vb,clj,cljs,dart,erl,ex,exs,hs,jl,lua,m,mm,ml,mli,nim,php,pl,pm,r,sol,swift,zig}",
  ],
  action: null,
  tests: false,
};

/** The presets of the languages. */
export const LANGUAGE_PRESETS: Readonly<Record<LanguageName, Rules>> = Object.fromEntries(
  LANGUAGES.map((language) => [language.id, languageRules(language)]),
) as Record<LanguageName, Rules>;
