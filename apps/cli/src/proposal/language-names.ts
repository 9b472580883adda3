import type { Language } from "@agent-checkpoint/reports";

const NAMES: Readonly<Partial<Record<Language, string>>> = {
  javascript: "JavaScript/TypeScript",
  java: "Java/Kotlin",
  php: "PHP",
  dotnet: ".NET",
  c: "C and C++",
  ocaml: "OCaml",
  shell: "shell",
  powershell: "PowerShell",
};

/** What a language is called in the middle of a sentence. */
export function nameOfLanguage(language: Language): string {
  return NAMES[language] ?? `${language.charAt(0).toUpperCase()}${language.slice(1)}`;
}
