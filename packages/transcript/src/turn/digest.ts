/**
 * First 16 hexadecimal digits of the SHA-256 of a text, without the white space around it.
 *
 * Written out here because loading `node:crypto` takes 5 ms, more than reading an ordinary turn.
 */
export const digest = (text: string): string => {
  const message = pad(Buffer.from(text.trim(), "utf8"));
  const state = Int32Array.from(INITIAL);
  const schedule = new Int32Array(64);
  for (let start = 0; start < message.length; start += 64) compress(state, schedule, message, start);
  return [state[0], state[1]].map((word = 0) => (word >>> 0).toString(16).padStart(8, "0")).join("");
};

const pad = (text: Buffer): Buffer => {
  const padded = Buffer.alloc(Math.ceil((text.length + 9) / 64) * 64);
  text.copy(padded);
  padded[text.length] = 0x80;
  padded.writeBigUInt64BE(BigInt(text.length) * 8n, padded.length - 8);
  return padded;
};

const compress = (state: Int32Array, schedule: Int32Array, message: Buffer, start: number): void => {
  for (let i = 0; i < 16; i += 1) schedule[i] = message.readInt32BE(start + i * 4);
  for (let i = 16; i < 64; i += 1) {
    const near = schedule[i - 2] ?? 0;
    const far = schedule[i - 15] ?? 0;
    const mixNear = rotate(near, 17) ^ rotate(near, 19) ^ (near >>> 10);
    const mixFar = rotate(far, 7) ^ rotate(far, 18) ^ (far >>> 3);
    schedule[i] = (schedule[i - 16] ?? 0) + mixFar + (schedule[i - 7] ?? 0) + mixNear;
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let i = 0; i < 64; i += 1) {
    const choice = (e & f) ^ (~e & g);
    const majority = (a & b) ^ (a & c) ^ (b & c);
    const added =
      (h + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + choice + (ROUNDS[i] ?? 0) + (schedule[i] ?? 0)) | 0;
    const next = (added + (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + majority) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + added) | 0;
    d = c;
    c = b;
    b = a;
    a = next;
  }
  for (const [i, value] of [a, b, c, d, e, f, g, h].entries()) state[i] = (state[i] ?? 0) + value;
};

const rotate = (word: number, bits: number): number => (word >>> bits) | (word << (32 - bits));

/** Fractional parts of the square roots of the first eight primes. */
const INITIAL = [0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19];

/** Fractional parts of the cube roots of the first 64 primes. */
const ROUNDS = Int32Array.from([
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98,
  0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786,
  0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8,
  0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
  0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819,
  0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
  0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
  0xc67178f2,
]);
