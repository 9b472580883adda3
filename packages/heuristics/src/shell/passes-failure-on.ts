import type { Command, PipelineNode, Statement, Word } from "unbash";

/** `exit $?` or `return $?`: the status of the command before it is the line's. */
export function exitsWithLastStatus(statement: Statement | undefined): boolean {
  return statement?.command.type === "Command" && /^(?:exit|return) "?\$\?"?$/.test(textOf(statement.command));
}

/** `exit 1`, `return 2` or `false`: what follows `||` when the failure is to be passed on. */
export function onlyFails(node: PipelineNode): boolean {
  if (node.type === "BraceGroup" || node.type === "Subshell") {
    const last = node.body.commands.at(-1)?.command;
    return last !== undefined && last.type !== "AndOr" && onlyFails(last);
  }
  return node.type === "Command" && /^(?:false|(?:exit|return) [1-9]\d*|(?:exit|return) "?\$\?"?)$/.test(textOf(node));
}

function textOf(node: Command): string {
  const words: readonly (Word | { readonly text: string })[] = node.name ? [node.name, ...node.args] : node.args;
  return words.map(({ text }) => text).join(" ");
}
