import { Command } from "commander";
import type { MakeCommand } from "../command-context.ts";

/** `checkpoint proof`: lets a person's own run of the tests count. */
export const proof: MakeCommand = (context) =>
  new Command("proof")
    .summary("Run your tests, and let them count")
    .description(
      "Runs a command and, if it tested the changed files and was green, remembers that: no stop asks for them until they change. The command's exit code is passed on.",
    )
    .argument("<command...>", "the command and its arguments, after --")
    .option("--json", "print one JSON value; what the command prints goes to stderr")
    .addHelpText(
      "after",
      "\nExamples:\n  $ checkpoint proof -- npm test\n  $ checkpoint proof -- uv run pytest tests/unit\n",
    )
    .action(async (words: string[], options: { readonly json?: boolean }) => {
      const { runProof } = await import("../proof/run-proof.ts");
      return runProof(words, options, context);
    });
