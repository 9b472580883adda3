import type { DetectChore } from "./detect-chore.ts";

const COMPOSE_FILE = /^(?:docker-)?compose(?:\.[\w-]+)*\.ya?ml$/;

/** Files that Docker Compose takes by itself. */
const DEFAULT_FILE = /^(?:docker-)?compose\.ya?ml$/;

const MOST_FILES = 4;

/** Compose files, which Docker can check without starting anything. */
export const composeFiles: DetectChore = (tree) => {
  const files = tree.list(".").filter((name) => COMPOSE_FILE.test(name));
  const first = files.find((name) => DEFAULT_FILE.test(name)) ?? files[0];
  if (first === undefined || files.length > MOST_FILES) return null;
  const named = files.map((file) => `-f ${file} config`);
  return {
    tool: "compose",
    kind: "compose",
    label: files.length > 1 ? "compose files" : "the compose file",
    plural: files.length > 1,
    include: files,
    command: {
      run: `docker compose ${DEFAULT_FILE.test(first) ? "" : `-f ${first} `}config --quiet`,
      evidence: [
        ...["config", "up", "build", ...named].map((words) => `docker compose ${words}`),
        ...["config", "up", ...named].map((words) => `docker-compose ${words}`),
      ],
      where: files.join(", "),
    },
  };
};
