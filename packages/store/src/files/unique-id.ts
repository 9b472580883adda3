/** A name that no other call gives, in this process or another; node's own UUIDs cost a hook several milliseconds to load. */
export function uniqueId(): string {
  const parts = [Date.now(), process.pid, process.hrtime.bigint(), Math.floor(Math.random() * 36 ** 8)];
  return parts.map((part) => part.toString(36)).join("-");
}
