const EXTENSIONS = {
  javascript: "js jsx cjs mjs ts tsx cts mts vue svelte astro gjs gts",
  python: "py pyi pyx",
  rust: "rs",
  go: "go",
  java: "java kt kts groovy",
  scala: "scala sc",
  ruby: "rb rake ru",
  php: "php",
  dotnet: "cs fs vb",
  elixir: "ex exs",
  erlang: "erl hrl",
  swift: "swift",
  dart: "dart",
  c: "c cc cpp cxx h hh hpp hxx m mm",
  haskell: "hs lhs",
  ocaml: "ml mli",
  zig: "zig",
  solidity: "sol",
  lua: "lua",
  shell: "sh bash zsh bats",
  perl: "pl pm t",
  r: "r",
  julia: "jl",
  clojure: "clj cljs cljc",
  nim: "nim",
  terraform: "tf",
} as const;

/** A programming language; JavaScript includes TypeScript, Java includes Kotlin, C includes C++. */
export type Language = keyof typeof EXTENSIONS;

const LANGUAGE_OF = new Map<string, readonly Language[]>(
  Object.entries(EXTENSIONS).flatMap(([language, extensions]) =>
    extensions.split(" ").map((extension) => [extension, [language as Language]] as const),
  ),
);

/** The languages of a file by its extension; none for prose, data and assets. */
export function languagesOfFile(path: string): readonly Language[] {
  const dot = path.lastIndexOf(".");
  return dot <= path.lastIndexOf("/") ? [] : (LANGUAGE_OF.get(path.slice(dot + 1).toLowerCase()) ?? []);
}

/** The extensions of a language's files. */
export function extensionsOf(language: Language): readonly string[] {
  return EXTENSIONS[language].split(" ");
}
