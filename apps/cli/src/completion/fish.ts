import { allNodes, type CompletionNode, type CompletionOption, type Values } from "./completion-tree.ts";

/** The completion of a program for fish. */
export function fishScript(root: CompletionNode): string {
  const [program = ""] = root.path;
  const nodes = allNodes(root);
  const commands = nodes.flatMap(({ children }) => children.map(({ path }) => quoted(path.join(" "))));
  const valued = nodes.flatMap(({ path, options }) =>
    options
      .filter(({ value }) => value.kind !== "none")
      .flatMap(({ flags }) => flags.map((flag) => quoted([...path, flag].join(" ")))),
  );
  return `# fish completion for ${program}
# Add to ~/.config/fish/config.fish: ${program} completion fish | source
function __${program}_at
    set -l at ${program}
    set -l is_value no
    for word in (commandline -opc)[2..]
        if test $is_value = yes
            set is_value no
            continue
        end
        switch "$at $word"
            case ${commands.join(" ")}
                set at "$at $word"
${valued.length === 0 ? "" : `            case ${valued.join(" ")}\n                set is_value yes\n`}        end
    end
    test "$at" = "$argv"
end
complete -c ${program} -f
${nodes.flatMap((node) => linesOf(node, program)).join("\n")}
`;
}

function linesOf({ path, options, argument, children }: CompletionNode, program: string): readonly string[] {
  const here = `complete -c ${program} -n ${quoted(`__${program}_at ${path.join(" ")}`)}`;
  return [
    ...children.map((child) => `${here} -a ${quoted(child.path.at(-1) ?? "")} -d ${quoted(child.description)}`),
    ...argumentLines(argument).map((words) => `${here} ${words}`),
    ...options.map((option) => `${here} ${optionWords(option)}`),
  ];
}

function argumentLines(argument: Values): readonly string[] {
  if (argument.kind === "files") return ["-F"];
  return argument.kind === "choices" ? [`-a ${quoted(argument.choices.join(" "))}`] : [];
}

function optionWords({ flags, description, value }: CompletionOption): string {
  const names = flags.map((flag) => (flag.startsWith("--") ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`));
  return [...names, ...valueWords(value), "-d", quoted(description)].join(" ");
}

/** `-x` takes a value that is no file, `-r` one that may be. */
function valueWords(value: Values): readonly string[] {
  if (value.kind === "none") return [];
  if (value.kind === "files") return ["-r", "-F"];
  return value.kind === "choices" ? ["-x", "-a", quoted(value.choices.join(" "))] : ["-x"];
}

function quoted(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", String.raw`\'`)}'`;
}
