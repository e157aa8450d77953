/**
 * `npm run check`: what must pass before a change lands, in one command. Format, unused exports, types, and lint run one
 * after the other, beside the tests that need no database and no browser; `npm test` runs every test. A part's output is
 * shown when it fails.
 */
import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";

const LANES: readonly Record<string, string>[] = [
  {
    // Its cache knows files by content. ESLint gets none: rules on types read more files than the one they report on.
    format: "npm run --silent format:check -- --cache --cache-strategy content",
    unused: "npm run --silent unused",
    types: "npm run --silent typecheck",
    lint: "npm run --silent lint",
  },
  { tests: "vitest run --project units --project programs" },
];

const began = performance.now();
const lanes = await Promise.all(LANES.map(runLane));
const failed = lanes.flat();
console.log(
  failed.length === 0 ? `All passed in ${since(began)}.` : `Failed: ${failed.join(", ")}.`,
);
process.exitCode = Math.min(1, failed.length);

/** The names of what failed. */
async function runLane(lane: Record<string, string>): Promise<string[]> {
  const failed: string[] = [];
  for (const [name, command] of Object.entries(lane)) {
    const start = performance.now();
    const { code, output } = await run(command);
    if (code !== 0) {
      failed.push(name);
      console.log(output);
    }
    console.log(`${code === 0 ? "passed" : "FAILED"}  ${name}  ${since(start)}`);
  }
  return failed;
}

async function run(command: string): Promise<{ code: number; output: string }> {
  const child = spawn(`${command} 2>&1`, { shell: true, stdio: ["ignore", "pipe", "inherit"] });
  const ended = new Promise<number>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve(code ?? 1));
  });
  const [code, output] = await Promise.all([ended, text(child.stdout)]);
  return { code, output };
}

function since(start: number): string {
  return `${Math.round((performance.now() - start) / 1000)} s`;
}
