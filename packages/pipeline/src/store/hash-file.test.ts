import { createHash } from "node:crypto";
import { link, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { hashFile } from "./hash-file.ts";

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

it("hashes linked files once, and changed files again, until it is canceled", async () => {
  const folder = await mkdtemp(join(tmpdir(), "stipple-hash-"));
  try {
    const [first, second, other] = ["first", "second", "other"].map((name) => join(folder, name));
    await writeFile(first, "counts");
    await link(first, second);
    await writeFile(other, "rates");
    const canceled = AbortSignal.abort();
    await expect(hashFile(first, canceled)).rejects.toThrow("canceled");
    expect((await hashFile(first)).sha256).toBe(sha256("counts"));
    // Known, so not read.
    expect(await hashFile(second, canceled)).toEqual({ size: 6, sha256: sha256("counts") });
    expect(await hashFile(other)).toEqual({ size: 5, sha256: sha256("rates") });
    // Same number of bytes as before.
    await writeFile(other, "Rates");
    expect(await hashFile(other)).toEqual({ size: 5, sha256: sha256("Rates") });
  } finally {
    await rm(folder, { recursive: true });
  }
});
