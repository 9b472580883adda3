/** The ref that keeps a commit of a checkpoint in the store's own repository. */
export function stashRef(id: string, name: string): string {
  return `refs/checkpoints/${id}/${name}`;
}

/** The messages of the commits of a checkpoint. */
export function stashMessages(
  id: string,
  reason: string,
): { readonly files: string; readonly index: string; readonly untracked: string } {
  const files = `checkpoint:${id}:${reason}`;
  return { files, index: `index of ${files}`, untracked: `untracked files of ${files}` };
}
