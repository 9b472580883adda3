/** A part of a program: what its roots load before they run. */
export interface PartPlan {
  readonly name: string;
  readonly roots: readonly string[];
}

/** What the bundler tells of its modules. */
export interface ModuleGraph {
  readonly getModuleInfo: (id: string) => { readonly importedIds: readonly string[] } | null;
}

/**
 * Names the part that a module goes to: the first one that needs it, where a root belongs to its own part whoever names it.
 * What no part needs is left to the bundler.
 */
export function partsOf(plans: readonly PartPlan[]): (id: string, graph: ModuleGraph) => string | null {
  let parts: ReadonlyMap<string, string> | null = null;
  return (id, graph) => (parts ??= assign(plans, graph)).get(id) ?? null;
}

function assign(plans: readonly PartPlan[], graph: ModuleGraph): ReadonlyMap<string, string> {
  const parts = new Map(plans.flatMap(({ name, roots }) => roots.map((root) => [root, name])));
  const importedBy = (id: string): readonly string[] => graph.getModuleInfo(id)?.importedIds ?? [];
  for (const { name, roots } of plans) {
    const open = roots.flatMap(importedBy);
    for (let id = open.pop(); id !== undefined; id = open.pop()) {
      if (parts.has(id)) continue;
      parts.set(id, name);
      open.push(...importedBy(id));
    }
  }
  return parts;
}
