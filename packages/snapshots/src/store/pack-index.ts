/** Where contents lie in a pack. */
export interface Place {
  readonly offset: number;
  readonly size: number;
}

/** The index of a pack: for every content, in the order of its SHA-256, 32 bytes of hash, 8 of offset, 8 of size. */
export function renderPackIndex(places: ReadonlyMap<string, Place>): Buffer {
  const index = Buffer.alloc(places.size * ROW);
  let at = 0;
  for (const [sha256, { offset, size }] of [...places].sort(([a], [b]) => (a < b ? -1 : 1))) {
    index.write(sha256, at, "hex");
    index.writeBigUInt64BE(BigInt(offset), at + HASH);
    index.writeBigUInt64BE(BigInt(size), at + HASH + 8);
    at += ROW;
  }
  return index;
}

/** Where contents of a hash lie, by halving. */
export function findInPackIndex(index: Buffer, sha256: string): Place | null {
  const wanted = Buffer.from(sha256, "hex");
  let low = 0;
  let high = Math.floor(index.length / ROW);
  while (low < high) {
    const middle = (low + high) >>> 1;
    const order = wanted.compare(index, middle * ROW, middle * ROW + HASH);
    if (order === 0) return placeAt(index, middle);
    if (order > 0) low = middle + 1;
    else high = middle;
  }
  return null;
}

/** Every content of a pack. */
export function listPackIndex(index: Buffer): readonly (Place & { readonly sha256: string })[] {
  return Array.from({ length: Math.floor(index.length / ROW) }, (_, row) => ({
    sha256: index.toString("hex", row * ROW, row * ROW + HASH),
    ...placeAt(index, row),
  }));
}

/** How long a pack must be for the contents in an index, or in some rows of it. */
export function packLength(rows: Buffer): number {
  const view = new DataView(rows.buffer, rows.byteOffset, rows.length);
  let end = 0;
  for (let at = HASH; at + ROW - HASH <= rows.length; at += ROW)
    end = Math.max(end, numberIn(view, at) + numberIn(view, at + 8));
  return end;
}

const HASH = 32;
const ROW = 48;

function placeAt(index: Buffer, row: number): Place {
  const at = row * ROW + HASH;
  return { offset: readNumber(index, at), size: readNumber(index, at + 8) };
}

function readNumber(index: Buffer, at: number): number {
  return index.readUInt32BE(at) * 2 ** 32 + index.readUInt32BE(at + 4);
}

/** The same of a view, which is quicker: this is done for every content of a store. */
function numberIn(view: DataView, at: number): number {
  return view.getUint32(at) * 2 ** 32 + view.getUint32(at + 4);
}
