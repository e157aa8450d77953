import { expect, it } from "vitest";
import { recognize } from "./recognize.ts";
import { candidate, describedFile } from "./testing/contents.ts";
import { FOLDERS } from "./testing/folders.ts";

it.each(FOLDERS)("tells apart $name", async (folder) => {
  const { platform = "visium", resolution, takes = {}, names = {}, channels = [], fault } = folder;
  const files = (await Promise.all(folder.files.map(describedFile))).map(candidate);
  const found = await recognize(files, { platform, resolution });
  const taken = Object.entries(found.files).map(([role, file]) => [role, file.path]);
  expect(Object.fromEntries(taken)).toEqual(fault && !folder.takes ? {} : takes);
  expect(found.channels.map(({ path }) => path)).toEqual(channels);
  const sentences = new Map(found.leftOut.map(({ file, sentence }) => [file.path, sentence]));
  for (const [path, words] of Object.entries(names)) {
    expect(sentences.get(path), path).toContain(words);
    expect(sentences.get(path)).toMatch(/^[^/]+\.$/);
  }
  const faults = found.faults.map(({ sentence }) => sentence).join("\n");
  if (fault === undefined) expect(faults).toBe("");
  else expect(faults).toContain(fault);
});
