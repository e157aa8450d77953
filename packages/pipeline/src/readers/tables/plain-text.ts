import { textEncoding } from "../content-kind.ts";

const [NEWLINE, RETURN] = [10, 13];
const MARK = Buffer.from("\ufeff");

/**
 * Yields a text in UTF-8, without a byte-order mark, and with newlines at the ends of lines: UTF-16 is converted,
 * and so are the lone carriage returns of old spreadsheets. Text in the usual form passes unchanged. `note` gets
 * each oddity as part of a sentence. O(text).
 */
export async function* plainText(
  pieces: AsyncIterable<Buffer>,
  note?: (oddity: string) => void,
): AsyncGenerator<Buffer> {
  let decoder: InstanceType<typeof TextDecoder> | null = null;
  let isReturnOnly = false;
  let isFirst = true;
  const converted = (piece: Buffer, last: boolean): Buffer => {
    let text = decoder === null ? piece : Buffer.from(decoder.decode(piece, { stream: !last }));
    if (isFirst) {
      isFirst = false;
      if (text.indexOf(MARK) === 0) text = text.subarray(MARK.length);
      isReturnOnly = !text.includes(NEWLINE) && text.includes(RETURN);
      if (isReturnOnly) note?.("lines that end in a carriage return");
    }
    return isReturnOnly ? withNewlines(text) : text;
  };
  for await (const piece of pieces) {
    if (isFirst) {
      const encoding = textEncoding(piece);
      if (encoding !== "utf-8") {
        decoder = new TextDecoder(encoding);
        note?.("text in UTF-16");
      }
    }
    yield converted(piece, false);
  }
  if (decoder !== null) yield converted(Buffer.alloc(0), true);
}

function withNewlines(text: Buffer): Buffer {
  const out = Buffer.from(text);
  for (let at = out.indexOf(RETURN); at >= 0; at = out.indexOf(RETURN, at + 1)) out[at] = NEWLINE;
  return out;
}
