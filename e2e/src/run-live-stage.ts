import { hold } from "./live-stage.ts";

// The program inside the namespaces of an open stage: ends, and everything with it, when its input does.
await hold(process.argv[2] ?? ".");
process.exit(0);
