import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { DownloadPartId } from "@stipple/contract/downloads";
import * as h5wasm from "h5wasm/node";

/** A part of a project's results, as downloaded. */
export async function downloadedPart(
  url: string,
  token: string,
  projectId: string,
  part: DownloadPartId,
): Promise<Buffer> {
  const answer = await fetch(`${url}/api/download_output?project_id=${projectId}&part=${part}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  if (!answer.ok) throw new Error(`${part}: ${answer.status} ${await answer.text()}`);
  return Buffer.from(await answer.arrayBuffer());
}

/** Text of a file in one of our zips, which store files uncompressed. */
export function textInZip(zip: Buffer, name: string): string {
  for (let at = zip.indexOf("PK\x03\x04"); at >= 0; at = zip.indexOf("PK\x03\x04", at + 4)) {
    const nameLength = zip.readUInt16LE(at + 26);
    const begin = at + 30 + nameLength + zip.readUInt16LE(at + 28);
    const path = zip.toString("utf8", at + 30, at + 30 + nameLength);
    if (path !== name && !path.endsWith(`/${name}`)) continue;
    const ends = ["PK\x07\x08", "PK\x03\x04", "PK\x01\x02"].map((sign) => zip.indexOf(sign, begin));
    return zip.toString("utf8", begin, Math.min(...ends.filter((end) => end >= 0)));
  }
  throw new Error(`The zip has no ${name}`);
}

/** Rows of a CSV whose values have no quotes. */
export function csvRows(text: string): Record<string, string>[] {
  const [head, ...lines] = text.trimEnd().split(/\r?\n/);
  const names = head!.split(",");
  return lines.map((line) =>
    Object.fromEntries(line.split(",").map((value, at) => [names[at]!, value])),
  );
}

/** What an h5ad says: a column of labels by cell ("" for none), and lists of text in uns. */
export interface OpenedH5ad extends Disposable {
  labels(column: string): string[];
  texts(path: string): string[];
}

export async function openH5ad(bytes: Buffer, folder: string): Promise<OpenedH5ad> {
  const path = join(folder, "downloaded.h5ad");
  await writeFile(path, bytes);
  await h5wasm.ready;
  const file = new h5wasm.File(path, "r");
  const values = (at: string): unknown[] => [
    ...((file.get(at) as h5wasm.Dataset).value as Iterable<unknown>),
  ];
  return {
    labels(column) {
      const names = values(`obs/${column}/categories`).map(String);
      return values(`obs/${column}/codes`).map((code) => names[Number(code)] ?? "");
    },
    texts: (at) => values(at).map(String),
    [Symbol.dispose]: () => void file.close(),
  };
}
