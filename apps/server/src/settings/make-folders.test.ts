import { existsSync, mkdtempSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { makeFolders } from "./make-folders.ts";

const base = mkdtempSync(join(tmpdir(), "stipple-folders-"));

it("creates missing folders and returns the first one created", () => {
  expect(makeFolders(join(base, "a", "b", "c"))).toBe(join(base, "a"));
  expect(makeFolders(join(base, "a", "b", "d"))).toBe(join(base, "a", "b", "d"));
  expect(makeFolders(join(base, "a"))).toBeUndefined();
});

it("refuses a path that is not a folder", () => {
  writeFileSync(join(base, "file"), "");
  symlinkSync(join(base, "nowhere"), join(base, "dangling"));
  expect(() => makeFolders(join(base, "file"))).toThrow("is not a folder");
  expect(() => makeFolders(join(base, "file", "below"))).toThrow("ENOTDIR");
  expect(() => makeFolders(join(base, "dangling"))).toThrow("EEXIST");
});

// There, Node itself retries forever.
it.runIf(existsSync("/proc/self"))("fails where no folder can ever be created", () => {
  expect(() => makeFolders("/proc/nowhere/below")).toThrow("ENOENT");
});
