import { expect, test } from "vitest";
import { mayOutlive } from "./may-outlive.ts";

test.for([
  ["npm run dev &", true],
  ["npm run dev & sleep 2; curl localhost:3000", true],
  ["(cd api && npm start &)", true],
  ["nohup ./serve > log 2>&1", true],
  ["cd app; setsid ./serve", true],
  ["tmux new -d -s dev 'npm run dev'", true],
  ["docker compose up -d", true],
  ["docker run --rm --detach redis", true],
  ["npm test && npm run lint", false],
  ["npm test > log 2>&1", false],
  ["npm test &> log", false],
  ["npm test |& tee log", false],
  ["curl 'http://localhost/?a=1&b=2'", false],
  ['curl "http://localhost/?a=1&b=\\"2\\"&c=3"', false],
  ["git commit -m 'run it with nohup & setsid'", false],
  ["cat src/screen.ts", false],
  ["sed -i s/a\\&b/c/ x", false],
  ["ls", false],
] as const)("%s: %s", ([command, outlives]) => {
  expect(mayOutlive(command)).toBe(outlives);
});
