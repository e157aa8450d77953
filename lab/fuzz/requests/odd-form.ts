import { createHash } from "node:crypto";
import type { Random } from "@stipple/numerics/random";
import { below, oddText, pick, type Json } from "./values.ts";

/** A request body. */
export interface Body {
  type: string;
  bytes: Buffer;
  /** The parsed bytes, if they are JSON. */
  value?: Json;
}

const BOUNDARY = "----fuzz";
const SCALEFACTORS = Buffer.from('{"tissue_hires_scalef":0.1,"spot_diameter_fullres":90}');

/** An upload chunk as sent by a page, or with part of its form changed. */
export function oddForm(random: Random, isChanged = false): Body {
  const fields: [string, string][] = [
    ["chunk", "0"],
    ["chunks", "1"],
  ];
  if (random.uniform() < 0.5) {
    fields.push(["sha256", createHash("sha256").update(SCALEFACTORS).digest("hex")]);
  }
  let fileName = "scalefactors_json.json";
  let content: Buffer = SCALEFACTORS;
  let type = `multipart/form-data; boundary=${BOUNDARY}`;
  let end = `--${BOUNDARY}--\r\n`;
  if (isChanged) {
    const at = below(random, fields.length);
    const ways: (() => void)[] = [
      () =>
        (fields[at][1] = pick(random, ["-1", "1e3", "99999999", "7", "1.5", "", oddText(random)])),
      () => (fields[at][1] = pick(random, ["0x1", "+1", "９", "1".repeat(2_000)])),
      () => fields.splice(at, 1),
      () => fields.push([...fields[at]]),
      () => fields.push(["file_sha256", pick(random, ["", "x", "0".repeat(64)])]),
      () => fields.push(...Array.from({ length: 12 }, (_, i): [string, string] => [`f${i}`, "x"])),
      () => fields.push([pick(random, ["__proto__", "constructor", "file", ""]), oddText(random)]),
      () => (fileName = oddText(random).replaceAll(/["\r\n]/g, "")),
      () =>
        (fileName = pick(random, [
          "../../x.json",
          "a/b.json",
          "x.exe",
          ".json",
          `${"n".repeat(5_000)}.json`,
        ])),
      () => (content = Buffer.alloc(pick(random, [0, 1, 70_000]), 123)),
      () =>
        (type = pick(random, [
          "multipart/form-data",
          "multipart/form-data; boundary=other",
          "multipart/mixed; boundary=x",
        ])),
      () => (end = pick(random, ["", "--", `--${BOUNDARY}`, `--${BOUNDARY}\r\n`])),
    ];
    pick(random, ways)();
  }
  const parts = fields.map(
    ([name, value]) =>
      `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value.toWellFormed()}\r\n`,
  );
  const file = `--${BOUNDARY}\r\ncontent-disposition: form-data; name="file"; filename="${fileName}"\r\ncontent-type: application/json\r\n\r\n`;
  const pieces = [Buffer.from(file), content, Buffer.from("\r\n")];
  // The file may come first or last.
  const isFirst = random.uniform() < 0.5;
  const texts = Buffer.from(parts.join(""));
  const bytes = Buffer.concat([
    ...(isFirst ? [...pieces, texts] : [texts, ...pieces]),
    Buffer.from(end),
  ]);
  return { type, bytes };
}
