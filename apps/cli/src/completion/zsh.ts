import { allNodes, type CompletionNode, type CompletionOption, type Values } from "./completion-tree.ts";

/** The completion of a program for zsh. */
export function zshScript(root: CompletionNode): string {
  const [program = ""] = root.path;
  return `#compdef ${program}
# zsh completion for ${program}
# Add to ~/.zshrc, after compinit: eval "$(${program} completion zsh)"
${allNodes(root).map(functionOf).join("\n")}
if [[ $funcstack[1] == _${program} ]]; then
  _${program} "$@"
else
  compdef _${program} ${program}
fi
`;
}

/** Each command has a function; one with commands below it hands the rest of the line down. */
function functionOf(node: CompletionNode): string {
  const { options, argument, children } = node;
  const own = options.flatMap(optionSpecs);
  const specs = [...own, ...(children.length > 0 ? ["'1: :->first'", "'*:: :->rest'"] : argumentSpecs(argument))];
  const lines = [
    `${nameOf(node)}() {`,
    "  local curcontext=$curcontext context state state_descr line",
    "  typeset -A opt_args",
    `  _arguments -C ${specs.join(" \\\n    ")} && return`,
    ...(children.length > 0 ? handDown(node) : []),
    "}",
  ];
  return lines.join("\n");
}

function handDown({ children, options, argument }: CompletionNode): readonly string[] {
  const described = children.map(({ path, description }) => quoted(`${path.at(-1) ?? ""}:${plain(description)}`));
  const choices = argument.kind === "choices" ? [`      compadd -- ${argument.choices.map(quoted).join(" ")}`] : [];
  const files = argument.kind === "files" ? ["      _files"] : [];
  return [
    "  case $state in",
    "    first)",
    `      local -a commands=(${described.join(" ")})`,
    "      _describe -t commands command commands",
    ...choices,
    ...files,
    "      ;;",
    "    rest)",
    "      case $line[1] in",
    ...children.map((child) => `        ${quoted(child.path.at(-1) ?? "")}) ${nameOf(child)} ;;`),
    // After a word that is no command, the options are still those of this one.
    `        *) _arguments ${[...options.flatMap(optionSpecs), ...argumentSpecs(argument)].join(" ")} ;;`,
    "      esac",
    "      ;;",
    "  esac",
  ];
}

function optionSpecs({ flags, description, value }: CompletionOption): readonly string[] {
  const exclusive = flags.length > 1 ? `(${flags.join(" ")})` : "";
  return flags.map((flag) => {
    const equals = value.kind !== "none" && flag.startsWith("--") ? "=" : "";
    return quoted(`${exclusive}${flag}${equals}[${plain(description)}]${actionOf(value)}`);
  });
}

function argumentSpecs(argument: Values): readonly string[] {
  return argument.kind === "none" ? [] : [quoted(`*${actionOf(argument)}`)];
}

function actionOf(values: Values): string {
  if (values.kind === "none") return "";
  if (values.kind === "files") return ":file:_files";
  return values.kind === "choices" ? `:value:(${values.choices.join(" ")})` : ":value: ";
}

function nameOf({ path }: CompletionNode): string {
  return `_${path.join("__").replaceAll(/\W/g, "_")}`;
}

/** Text in which brackets and colons mean themselves. */
function plain(text: string): string {
  return text.replaceAll(/[[\]:\\]/g, String.raw`\$&`);
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
