import { type FileTree, hasFile } from "../file-tree.ts";

/** The places of a Prisma schema, in one file or several. */
const SCHEMAS = [
  { sign: "prisma/schema.prisma", include: "prisma/**/*.prisma" },
  { sign: "prisma/schema/schema.prisma", include: "prisma/schema/**/*.prisma" },
  { sign: "schema.prisma", include: "schema.prisma" },
];

/** A Prisma schema: the file that shows it, and the glob of its files; null where there is none. */
export function prismaSchema(tree: FileTree): { readonly sign: string; readonly include: string } | null {
  return SCHEMAS.find(({ sign }) => hasFile(tree, sign)) ?? null;
}
