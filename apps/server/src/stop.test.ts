import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";

const STOP = new URL("./stop.ts", import.meta.url).href;
/** Reports when it can be stopped and when it was asked to; never finishes its work. */
const PROGRAM = `
  const { onStop } = await import(${JSON.stringify(STOP)});
  onStop(60, () => { console.log("stopping"); return new Promise(() => {}); });
  setInterval(() => {}, 1_000);
  console.log("ready");`;

it("finishes its work after one Ctrl-C, even if delivered repeatedly, and exits immediately after a second one", async () => {
  const child = spawn(process.execPath, ["--input-type=module", "-e", PROGRAM]);
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (output += text));
  await expect.poll(() => output).toContain("ready");
  child.kill("SIGINT");
  await expect.poll(() => output).toContain("stopping");
  child.kill("SIGINT");
  child.kill("SIGTERM");
  await sleep(1_000);
  expect([child.exitCode, child.signalCode]).toEqual([null, null]);
  child.kill("SIGTERM");
  await sleep(200);
  expect([child.exitCode, child.signalCode]).toEqual([null, null]);
  child.kill("SIGINT");
  expect(await once(child, "exit")).toEqual([1, null]);
});
