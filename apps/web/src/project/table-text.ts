/** A table's text: UTF-8, or UTF-16 as spreadsheets write it; null for other encodings, whose letters cannot be told. */
export async function tableText(file: Blob): Promise<string | null> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const mark = [bytes[0], bytes[1]].join();
  const encoding = { "255,254": "utf-16le", "254,255": "utf-16be" }[mark] ?? "utf-8";
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
