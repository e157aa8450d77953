import { createHash } from "node:crypto";
import * as h5wasm from "h5wasm/node";

/** Checksum of each dataset and attribute of an HDF5 file. The file's raw bytes also hold write times. */
export async function h5Contents(path: string): Promise<Record<string, string>> {
  await h5wasm.ready;
  const file = new h5wasm.File(path, "r");
  const sums: Record<string, string> = {};
  const note = (name: string, value: unknown): void => {
    const bytes = ArrayBuffer.isView(value)
      ? new Uint8Array(value.buffer, value.byteOffset, value.byteLength)
      : JSON.stringify(value, (_key, each: unknown) =>
          typeof each === "bigint" ? `${each}` : each,
        );
    sums[name] = createHash("sha256").update(bytes).digest("hex");
  };
  const visit = (entity: h5wasm.Group | h5wasm.Dataset, name: string): void => {
    for (const [key, attribute] of Object.entries(entity.attrs)) {
      note(`${name}@${key}`, attribute.value);
    }
    if (entity instanceof h5wasm.Dataset) return note(name, entity.value);
    for (const key of entity.keys()) {
      const child = entity.get(key);
      if (child instanceof h5wasm.Group || child instanceof h5wasm.Dataset) {
        visit(child, `${name}/${key}`);
      }
    }
  };
  try {
    visit(file, "");
  } finally {
    file.close();
  }
  return sums;
}
