import { spawn } from "node:child_process";
import { resolve } from "node:path";

/** The command that users type. */
export const LAUNCHER = resolve(import.meta.dirname, "../../bin/stipple.cjs");

export interface CommandResult {
  code: number | null;
  out: string;
  err: string;
}

/** Runs the command as a user would, in this environment unless another is given. */
export function runStipple(
  args: readonly string[],
  env?: NodeJS.ProcessEnv,
): Promise<CommandResult> {
  return new Promise((done, fail) => {
    const child = spawn(process.execPath, [LAUNCHER, ...args], {
      stdio: ["ignore", "pipe", "pipe"],
      ...(env && { env }),
    });
    let [out, err] = ["", ""];
    child.stdout.on("data", (data: Buffer) => (out += data.toString()));
    child.stderr.on("data", (data: Buffer) => (err += data.toString()));
    child.once("error", fail);
    child.once("close", (code) => done({ code, out, err }));
  });
}
