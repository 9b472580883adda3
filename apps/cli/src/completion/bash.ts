import { allNodes, type CompletionNode, type Values } from "./completion-tree.ts";

/** The completion of a program for bash 3.2 and newer; it needs no other package. */
export function bashScript(root: CompletionNode): string {
  const [program = ""] = root.path;
  const nodes = allNodes(root);
  const commands = nodes.flatMap(({ children }) => children.map(({ path }) => quoted(path.join(" "))));
  return `# bash completion for ${program}
# Add to ~/.bashrc: eval "$(${program} completion bash)"
_${program}() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD - 1]}"
  local at=${program} options="" words="" files="" word i
  COMPREPLY=()
  # A value after "--option=" comes as a word of its own.
  if [[ $cur == "=" ]]; then
    cur=""
  elif [[ $prev == "=" ]]; then
    prev="\${COMP_WORDS[COMP_CWORD - 2]}"
  fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    word="\${COMP_WORDS[i]}"
    case "$at $word" in
      ${commands.join(" | ")}) at="$at $word" ;;
${nodes.flatMap(skipValues).join("\n")}
    esac
  done
  case "$at $prev" in
${nodes.flatMap(optionValues).join("\n")}
    *)
      case "$at" in
${nodes.map(whatFollows).join("\n")}
      esac
      if [[ $cur == -* ]]; then
        words="$options"
        files=""
      fi
      ;;
  esac
  while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -W "$words" -- "$cur")
  if [[ -n $files ]]; then
    compopt -o filenames 2>/dev/null
    while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -f -- "$cur")
  fi
}
complete -F _${program} ${program}
`;
}

/** The word after such an option is its value, not a command. */
function skipValues({ path, options }: CompletionNode): readonly string[] {
  const flags = options.filter(({ value }) => value.kind !== "none").flatMap((option) => option.flags);
  if (flags.length === 0) return [];
  const patterns = flags.map((flag) => quoted([...path, flag].join(" ")));
  return [`      ${patterns.join(" | ")}) i=$((i + 1)) ;;`];
}

function optionValues({ path, options }: CompletionNode): readonly string[] {
  return options
    .filter(({ value }) => value.kind !== "none")
    .map(({ flags, value }) => {
      const patterns = flags.map((flag) => quoted([...path, flag].join(" ")));
      return `    ${patterns.join(" | ")}) ${assignments("", value)} ;;`;
    });
}

function whatFollows({ path, options, argument, children }: CompletionNode): string {
  const flags = options.flatMap((option) => option.flags).join(" ");
  const names = children.map((child) => child.path.at(-1) ?? "").join(" ");
  return `        ${quoted(path.join(" "))}) options=${quoted(flags)} ${assignments(names, argument)} ;;`;
}

function assignments(names: string, values: Values): string {
  const choices = values.kind === "choices" ? values.choices.join(" ") : "";
  return `words=${quoted([names, choices].filter(Boolean).join(" "))} files=${values.kind === "files" ? "yes" : '""'}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
