import { perform } from "./stage.ts";

// The program inside the namespaces: plays the run whose directions lie in the given folder, then takes everything down.
await perform(process.argv[2] ?? ".");
process.exit(0);
