import { createHash } from "node:crypto";
import { open } from "node:fs/promises";
import { basename } from "node:path";
import { CHUNK_BYTES } from "@stipple/contract";

/** The upload forms of a file, one chunk at a time, each read lazily. */
export async function* chunkForms(path: string): AsyncGenerator<FormData> {
  await using file = await open(path);
  const { size } = await file.stat();
  const chunks = Math.max(1, Math.ceil(size / CHUNK_BYTES));
  for (let chunk = 0; chunk < chunks; chunk++) {
    const bytes = Buffer.alloc(Math.min(CHUNK_BYTES, size - chunk * CHUNK_BYTES));
    await file.read(bytes, 0, bytes.length, chunk * CHUNK_BYTES);
    const form = new FormData();
    form.append("file", new Blob([bytes]), basename(path));
    form.append("chunk", String(chunk));
    form.append("chunks", String(chunks));
    form.append("sha256", createHash("sha256").update(bytes).digest("hex"));
    yield form;
  }
}

/** Upload path for the files of a slot. */
export function uploadPath(slot: { group: string; part?: string }, project: string): string {
  const type = slot.part === undefined ? "" : `&type=${slot.part}`;
  return `/upload/${slot.group}?project_id=${project}${type}`;
}
