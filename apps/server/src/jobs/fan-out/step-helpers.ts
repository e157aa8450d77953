import { randomUUID } from "node:crypto";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Helpers } from "@stipple/pipeline";
import type { AskingHelp, HelpAnswer } from "./task-messages.ts";

/**
 * The other workers from the view of a step's process, which reaches them through its own worker and files in `folder`.
 */
export interface StepHelpers extends Helpers {
  hear(answer: HelpAnswer): void;
}

export function openStepHelpers(parts: {
  folder: string;
  tell(message: AskingHelp): void;
  secondsLeft: number;
}): StepHelpers {
  const { folder, tell } = parts;
  const waiting = new Map<string, (answer: HelpAnswer) => void>();
  const written = new Map<string, Promise<string>>();

  function ask(message: AskingHelp): Promise<HelpAnswer> {
    return new Promise((resolve) => {
      waiting.set(message.id, resolve);
      tell(message);
    });
  }

  async function write(name: string, bytes: Uint8Array): Promise<string> {
    await mkdir(folder, { recursive: true });
    const path = join(folder, name);
    await writeFile(path, bytes);
    return path;
  }

  return {
    worth: { secondsLeft: parts.secondsLeft },
    hear(answer) {
      waiting.get(answer.id)?.(answer);
      waiting.delete(answer.id);
    },
    async free() {
      const answer = await ask({ kind: "who is free", id: randomUUID() });
      return answer.kind === "free" ? answer.workers : 0;
    },
    async send({ common, inputs, files }, signal) {
      const id = randomUUID();
      if (!written.has(common.id)) written.set(common.id, write(common.id, common.bytes));
      const path = await written.get(common.id)!;
      const own = await write(`inputs-${id}`, inputs);
      if (signal.aborted) return null;
      signal.addEventListener("abort", () => tell({ kind: "drop", id }), { once: true });
      const shared = { id: common.id, path };
      const answer = await ask({ kind: "batch", id, common: shared, inputs: own, files });
      if (answer.kind !== "batch done" || answer.path === null) return null;
      const result = await readFile(answer.path);
      await rm(answer.path);
      return result;
    },
  };
}
