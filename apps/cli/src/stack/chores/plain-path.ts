/** A path named in a settings file, where it lies inside the tree and could stand in a glob; null elsewhere. */
export function plainPath(path: string): string | null {
  const plain = path.replace(/^\.\//, "").replace(/\/+$/, "");
  return /^[\w@.-][\w@./-]*$/.test(plain) && !plain.split("/").includes("..") ? plain : null;
}
