import fc from "fast-check";

/** A settings file as people, editors and programs write them: any layout, comments and trailing commas anywhere. */
export function settingsText(): fc.Arbitrary<string> {
  return fc.oneof(wildText(), tidyText());
}

/** A file that a program wrote. */
function tidyText(): fc.Arbitrary<string> {
  const indent = fc.constantFrom("", "  ", "    ", "\t");
  const lineBreak = fc.constantFrom("\n", "\r\n");
  return fc
    .tuple(settings(), indent, lineBreak, fc.constantFrom("", "\n"))
    .map(([value, step, lineBreak, end]) => (JSON.stringify(value, null, step) + end).replaceAll("\n", lineBreak));
}

/** A file with white space and comments between any two tokens. */
function wildText(): fc.Arbitrary<string> {
  const trivia = fc.constantFrom(
    "",
    "",
    " ",
    "\t",
    "\n",
    "\r\n  ",
    "\n\t",
    "// a, {comment}\n",
    "/* [another, one] */",
    " // c\r\n",
  );
  const pieces = fc.array(trivia, { minLength: 1, maxLength: 40 });
  return fc
    .tuple(settings(), pieces, fc.boolean(), fc.constantFrom("", "\uFEFF"))
    .map(([value, pieces, hasTrailingCommas, mark]) => {
      let index = 0;
      const gap = () => pieces[index++ % pieces.length] ?? "";
      const trailing = hasTrailingCommas ? "," : "";
      const write = (value: unknown): string => {
        if (typeof value !== "object" || value === null) return JSON.stringify(value);
        const entries = Array.isArray(value)
          ? value.map((item) => gap() + write(item) + gap())
          : Object.entries(value).map(
              ([key, item]) => `${gap()}${JSON.stringify(key)}${gap()}:${gap()}${write(item)}${gap()}`,
            );
        const inner = entries.length === 0 ? gap() : entries.join(",") + trailing + gap();
        return Array.isArray(value) ? `[${inner}]` : `{${inner}}`;
      };
      return mark + gap() + write(value) + gap();
    });
}

function settings(): fc.Arbitrary<object> {
  const hook = fc.record(
    {
      type: fc.constantFrom("command", "http"),
      command: fc.constantFrom("echo 'a, b'", 'notify-send "done // x"', "/usr/bin/true"),
      timeout: fc.constantFrom<unknown>(5, "60"),
    },
    { requiredKeys: ["type"] },
  );
  const group = fc.record(
    { matcher: fc.constantFrom("", "Bash"), hooks: fc.array(hook, { maxLength: 2 }) },
    { requiredKeys: ["hooks"] },
  );
  const groups = fc.array(fc.oneof({ weight: 9, arbitrary: group }, { weight: 1, arbitrary: fc.constant("odd") }), {
    maxLength: 3,
  });
  const hooks = fc.record(
    { PreToolUse: groups, Stop: groups, enabled: fc.boolean(), UserPromptSubmit: groups },
    { requiredKeys: [] },
  );
  return fc.record(
    {
      model: fc.string(),
      hooks,
      permissions: fc.record({ allow: fc.array(fc.string(), { maxLength: 2 }) }),
      env: fc.constant({}),
    },
    { requiredKeys: [] },
  );
}
