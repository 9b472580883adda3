/** The extensions of each language's code. Prose, data, styles, markup, snapshots, lock files and assets are no code. */
const EXTENSIONS = {
  // TypeScript and the component formats that compile to JavaScript are one language: one runner tests them all.
  javascript: ["js", "jsx", "mjs", "cjs", "ts", "tsx", "mts", "cts", "vue", "svelte", "astro", "coffee"],
  python: ["py", "pyi", "pyx", "pxd"],
  rust: ["rs"],
  go: ["go"],
  java: ["java", "kt", "kts", "groovy", "gradle"],
  scala: ["scala", "sbt", "sc"],
  clojure: ["clj", "cljs", "cljc"],
  ruby: ["rb", "rake", "gemspec", "ru", "erb"],
  php: ["php", "phtml"],
  dotnet: ["cs", "fs", "fsx", "vb", "cshtml", "razor"],
  elixir: ["ex", "exs", "eex", "heex", "leex"],
  erlang: ["erl", "hrl"],
  swift: ["swift"],
  dart: ["dart"],
  // Objective-C is tested together with C, and with Swift by Xcode.
  c: ["c", "h", "cc", "hh", "cpp", "hpp", "cxx", "hxx", "ipp", "inl", "m", "mm", "cu", "cuh"],
  haskell: ["hs", "lhs"],
  ocaml: ["ml", "mli"],
  zig: ["zig"],
  solidity: ["sol"],
  lua: ["lua"],
  perl: ["pl", "pm", "t"],
  r: ["r"],
  julia: ["jl"],
  nim: ["nim"],
  powershell: ["ps1", "psm1"],
  shell: ["sh", "bash", "zsh", "fish", "bats"],
  terraform: ["tf"],
  // A language of its own: a query is tested by the program that sends it, so no runner names it.
  sql: ["sql"],
} as const;

export type Language = keyof typeof EXTENSIONS;

/** Build scripts that are known by their whole name. */
const FILE_NAMES: ReadonlyMap<string, readonly Language[]> = new Map([
  ["rakefile", ["ruby"]],
  ["gemfile", ["ruby"]],
  ["fastfile", ["ruby"]],
  ["podfile", ["ruby"]],
  ["cmakelists.txt", ["c"]],
  ["meson.build", ["c"]],
  ["jenkinsfile", ["java"]],
  ["justfile", ["shell"]],
  ["makefile", ["shell"]],
  ["gnumakefile", ["shell"]],
]);

const LANGUAGES: ReadonlyMap<string, readonly Language[]> = new Map(
  (Object.keys(EXTENSIONS) as Language[]).flatMap((language) =>
    EXTENSIONS[language].map((extension) => [extension, [language]] as const),
  ),
);

/** Languages of a file by its name; none for a file that is no code. */
export function languagesOfFile(path: string): readonly Language[] {
  const name = path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1).toLowerCase();
  const byName = FILE_NAMES.get(name);
  if (byName !== undefined) return byName;
  const dot = name.lastIndexOf(".");
  return (dot === -1 ? undefined : LANGUAGES.get(name.slice(dot + 1))) ?? [];
}

/** The extensions of a language's files. */
export function extensionsOf(language: Language): readonly string[] {
  return EXTENSIONS[language];
}
