import type { Chore } from "../stack.ts";
import { actionRow } from "./action-row.ts";
import { listPlaces, type ProposedRows } from "./proposed-row.ts";

/** The rows of chores, one pair for each tool: the same tool in several folders shares it. */
export function choreRows(chores: readonly Chore[]): readonly ProposedRows[] {
  const firsts = chores.filter((chore, index) => chores.findIndex((other) => isSameTool(chore, other)) === index);
  return firsts.map((first) => {
    const group = chores.filter((chore) => isSameTool(chore, first));
    const isAlone = firsts.filter(({ kind }) => kind === first.kind).length === 1;
    const { action, category } = idsOf(first, isAlone);
    const actions = actionRow(
      action,
      group.map(({ command }) => command),
    );
    const entry = {
      id: category,
      label: first.label,
      ...(first.plural ? { plural: true } : {}),
      include: [...new Set(group.flatMap(({ include }) => include))],
      action,
    };
    const where = listPlaces(group.map(({ command }) => command.where));
    return { actions, categories: actions.length === 0 ? [] : [{ entry, where }] };
  });
}

function isSameTool(one: Chore, other: Chore): boolean {
  return one.kind === other.kind && one.tool === other.tool;
}

function idsOf({ kind, tool }: Chore, isAlone: boolean): { readonly action: string; readonly category: string } {
  if (kind === "compose") return { action: "check-compose", category: "compose" };
  if (kind === "generate") return { action: `generate-${tool}`, category: `${tool}-sources` };
  return isAlone
    ? { action: "migrate", category: "migrations" }
    : { action: `migrate-${tool}`, category: `${tool}-migrations` };
}
