/** A line without what a terminal or a wrapper has put around it. */
export interface PlainLine {
  readonly text: string;
  /** Name of what wrote the line among others: a task, a service, a package; "" if the wrapper names none. */
  readonly writer: string;
  /** The package or folder that the wrapper ran the line's program in. */
  readonly place: string | null;
}

/** No summary is longer. */
const MAX_LENGTH = 1000;

/** A CI log around a task runner. */
const MAX_PREFIXES = 2;

// oxlint-disable-next-line no-control-regex -- the escape sequences of terminals begin with one
const ANSI = /\u001b(?:\[[\d;:?]*[A-Za-z]|\][^\u0007\u001b]{0,500}(?:\u0007|\u001b\\)|\([A-Z0-9])/g;

/** What wrappers put before each line. */
const PREFIXES = [
  // GitHub's logs, and `gh run view --log`.
  /(?:[^\t]{1,80}\t[^\t]{1,80}\t)?\uFEFF?\d{4}-\d\d-\d\dT[\d:.]{8,20}Z /,
  // mise, concurrently, yarn workspaces.
  /\[(?<bracket>[\w@/.:#-]{1,80})\](?::| \|)? /,
  // docker build.
  /#\d+ \d+\.\d+ /,
  // cat -n, and what agents are shown of files.
  / {0,6}\d{1,6}(?:→|\t)/,
  // docker compose, foreman, earthly.
  /(?:\d\d:\d\d:\d\d )?(?<service>[\w@+/.-]{1,80}) {0,40}\| /,
  // turbo ("web:test: "), pnpm -r ("packages/web test: ").
  /(?<place>[\w@/.-]{1,80})[: ][\w:.-]{1,40}: /,
  // lerna.
  /(?<scope>@[\w/.-]{1,80}): /,
];

const PREFIX = new RegExp(`^(?:${PREFIXES.map(({ source }) => source).join("|")})`);

/** Calls back with each line of an output, in order. Lines too long for a summary are left out. */
export function forEachLine(output: string, use: (line: string) => void): void {
  const text = output.includes("\u001b") ? output.replace(ANSI, "") : output;
  for (let start = 0; start < text.length;) {
    const newline = text.indexOf("\n", start);
    const end = newline === -1 ? text.length : newline;
    if (end > start && end - start <= MAX_LENGTH) use(lastState(text.slice(start, end)));
    start = end + 1;
  }
}

/** The line as it is, then without the prefixes that wrappers gave it. */
export function* readingsOf(line: string): Generator<PlainLine> {
  let reading: PlainLine = { text: line, writer: "", place: null };
  yield reading;
  for (let prefixes = 0; prefixes < MAX_PREFIXES; prefixes += 1) {
    const match = PREFIX.exec(reading.text);
    if (match === null) return;
    const { bracket, service, place = null, scope = place } = match.groups ?? {};
    const text = reading.text.slice(match[0].length);
    reading = { text, writer: bracket ?? service ?? scope ?? reading.writer, place: scope ?? reading.place };
    yield reading;
  }
}

/** What a terminal shows of a line that was overwritten after carriage returns. */
function lastState(line: string): string {
  const shown = line.trimEnd();
  return shown.slice(shown.lastIndexOf("\r") + 1);
}
