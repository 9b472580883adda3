/** What only starts another program, with the options that belong to it. */
const WRAPPERS: readonly RegExp[] = [
  /^[A-Za-z_]\w*=(?:"[^"]*"|'[^']*'|\S*)\s+/,
  /^(?:[@+!]|-(?=[a-z$]))\s*/i,
  /^(?:if|then|do|else|while|time|exec|sudo|command|env(?: -u \S+| -i)*|nice|ionice|cross-env(?:-shell)?|shx|xvfb-run(?: -a)?|doas)\s+/,
  /^xargs(?: -\S+(?: \d+)?)* /,
  /^timeout(?: -\S+(?: \d+\w?)?)* \d+\w? /,
  /^dotenv(?: -[a-z] \S+)*(?: --)? /,
  /^(?:npx|bunx|pnpx|pnpm (?:exec|dlx)|yarn (?:exec|dlx)|npm exec|corepack)(?: --?[\w-]+)* /,
  /^uvx? run(?: (?:--(?:group|extra|with|python|package|project|directory|env-file)[= ]\S+|-p \S+|--?[\w-]+))* /,
  /^(?:poetry|pdm|pipenv|hatch|rye|pixi) run(?: (?:-e|--environment)[ =]\S+| --?[\w-]+)* /,
  /^(?:bundle exec|rbenv exec|asdf exec|opam exec(?: --)?|mise x(?: --)?|fnm exec|nix develop -c|rtk) /,
  /^docker(?: |-)compose (?:run|exec)(?: --?[\w-]+)* [\w-]+ /,
  /^(?:coverage|python[\d.]* -m coverage) run(?: --?[\w-]+(?:=\S+)?)* (?:-m )?/,
  /^node(?: --?[\w-]+(?:=\S+)?)* (?=\S*node_modules\/)/,
  /^(?:c8|nyc)(?: --?[\w-]+(?:[= ][\w./*-]+(?= ))?)* (?=\S)/,
  /^(?:python[\d.]*|py|pypy\d?)(?: -[A-Za-z]+)* -m /,
  /^(?:python[\d.]*|py|ruby|(?:ba|z|da)?sh|php|node|tsx|bun|perl)(?: -[a-zA-Z]+)* (?=[\w.@/-]+\.(?:py|sh|rb|php|pl)\b|(?:vendor\/)?bin\/|(?:\.\/)?artisan )/,
  /^(?:ba|z|da)?sh (?=[\w.@-]+\/[\w./-]+(?: |$))/,
];

const MAX_LINES = 400;

/** The commands of a shell text, each without what only starts it. */
export function shellLines(text: string): readonly string[] {
  return split(text.replaceAll(/\\\r?\n\s*/g, " ").replaceAll(/\$\{\{.*?\}\}/g, "$$x"))
    .slice(0, MAX_LINES)
    .map(unwrap)
    .filter((line) => line !== "");
}

function unwrap(line: string): string {
  let rest = line.trim().replaceAll(/\s+/g, " ");
  for (;;) {
    const wrapper = WRAPPERS.find((pattern) => pattern.test(rest));
    if (wrapper === undefined) return rest;
    rest = rest.replace(wrapper, "");
  }
}

/** The parts between separators that stand outside of quotes and substitutions. */
function split(text: string): readonly string[] {
  const parts: string[] = [];
  let part = "";
  let quote = "";
  let depth = 0;
  for (let index = 0; index < text.length; index += 1) {
    const char = text[index] ?? "";
    if (quote !== "") {
      if (char === quote) quote = "";
      part += char;
    } else if (char === '"' || char === "'" || char === "`") {
      quote = char;
      part += char;
    } else if (char === "$" && text[index + 1] === "(") {
      depth += 1;
      index += 1;
      part += "$(";
    } else if (depth > 0) {
      if (char === "(") depth += 1;
      if (char === ")") depth -= 1;
      part += char;
    } else if (char === "#" && /^$|\s$/.test(part)) {
      const end = text.indexOf("\n", index);
      index = (end === -1 ? text.length : end) - 1;
    } else if ("\n;|&()".includes(char)) {
      parts.push(part);
      part = "";
    } else {
      part += char;
    }
  }
  return [...parts, part];
}
