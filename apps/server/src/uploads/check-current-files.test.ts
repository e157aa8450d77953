import { expect, it } from "vitest";
import type { InputFile } from "../outputs/input-reads.ts";
import { checkCurrentFiles } from "./check-current-files.ts";

const file = (storageKey: string) => ({ slot: "regions", storageKey }) as InputFile;

it("checks again what has replaced files that failed, and reports what fails by itself", async () => {
  const versions = [[file("first")], [file("second")], []];
  const checked: string[] = [];
  const check = async (files: InputFile[]) => {
    checked.push(files.map(({ storageKey }) => storageKey).join());
    if (files.length > 0) throw new Error("ENOENT");
    return "nothing";
  };
  await expect(checkCurrentFiles(async () => versions.shift()!, check)).resolves.toBe("nothing");
  expect(checked).toEqual(["first", "second", ""]);
  await expect(checkCurrentFiles(async () => [file("damaged")], check)).rejects.toThrow("ENOENT");
});
