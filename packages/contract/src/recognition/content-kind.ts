/** Number of leading bytes by which {@link contentKind} recognizes a file; fewer are enough for a shorter file. */
export const HEAD_BYTES = 1024;

/** What a file is by its first bytes, whatever its name. */
export type ContentKind = keyof typeof WORDS;

/** Each kind with its article, as part of a sentence. */
const WORDS = {
  empty: "empty",
  zeros: "filled with zeros",
  web_page: "a web page",
  server_error: "an error message of a download server",
  lfs_pointer: "a Git LFS pointer",
  annex_pointer: "a git-annex pointer",
  hdf5: "an HDF5 file",
  parquet: "a Parquet file",
  matrix_market: "a Matrix Market file",
  json: "a JSON file",
  xml: "an XML file",
  svg: "an SVG drawing",
  text: "a text file",
  text_utf16: "a text file in UTF-16",
  gzip: "a gzip file",
  zip: "a zip archive",
  tar: "a tar archive",
  "7z": "a 7-Zip archive",
  rar: "a RAR archive",
  bzip2: "a bzip2 file",
  xz: "an xz file",
  zstd: "a Zstandard file",
  excel: "an Excel workbook",
  r_data: "an R data file",
  numpy: "a NumPy file",
  tiff: "a TIFF image",
  png: "a PNG image",
  jpeg: "a JPEG image",
  gif: "a GIF image",
  bmp: "a BMP image",
  webp: "a WebP image",
  heif: "a HEIF image",
  jpeg2000: "a JPEG 2000 image",
  czi: "a Zeiss CZI image",
  nd2: "a Nikon ND2 image",
  dicom: "a DICOM image",
  mirax: "part of a MIRAX slide",
  pdf: "a PDF document",
  unknown: "of an unknown format",
} as const;

/** Kinds in which a table may come. */
export const TEXT_KINDS: readonly ContentKind[] = ["text", "text_utf16", "matrix_market", "json"];

const SIGNATURES: [ContentKind, string, number?][] = [
  ["hdf5", "\x89HDF\r\n\x1a\n"],
  ["hdf5", "\x89HDF\r\n\x1a\n", 512],
  ["png", "\x89PNG\r\n\x1a\n"],
  ["jpeg", "\xff\xd8\xff"],
  ["tiff", "II*\0"],
  ["tiff", "MM\0*"],
  ["tiff", "II+\0"],
  ["tiff", "MM\0+"],
  ["parquet", "PAR1"],
  ["gzip", "\x1f\x8b"],
  ["zip", "PK\x03\x04"],
  ["zip", "PK\x05\x06"],
  ["tar", "ustar", 257],
  ["7z", "7z\xbc\xaf\x27\x1c"],
  ["rar", "Rar!\x1a\x07"],
  ["bzip2", "BZh"],
  ["xz", "\xfd7zXZ\0"],
  ["zstd", "\x28\xb5\x2f\xfd"],
  ["excel", "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"],
  ["r_data", "RDX"],
  ["r_data", "X\n\0\0\0"],
  ["numpy", "\x93NUMPY"],
  ["gif", "GIF8"],
  ["bmp", "BM"],
  ["webp", "WEBP", 8],
  ["heif", "ftyp", 4],
  ["jpeg2000", "\0\0\0\x0cjP  "],
  ["jpeg2000", "\xff\x4f\xff\x51"],
  ["czi", "ZISRAWFILE"],
  ["nd2", "\xda\xce\xbe\x0a"],
  ["dicom", "DICM", 128],
  ["pdf", "%PDF-"],
];

/** The kind of a file that starts with these bytes ({@link HEAD_BYTES} of them, or all if there are fewer). O(1). */
export function contentKind(head: Uint8Array): ContentKind {
  if (head.length === 0) return "empty";
  const bytes = head.subarray(0, HEAD_BYTES);
  if (bytes.every((byte) => byte === 0)) return "zeros";
  if (textEncoding(bytes) !== "utf-8") return "text_utf16";
  const text = String.fromCharCode(...bytes);
  const isText = looksLikeText(bytes);
  const found = SIGNATURES.find(
    ([kind, signature, at = 0]) =>
      text.startsWith(signature, at) && !(isText && (kind === "bmp" || kind === "bzip2")),
  )?.[0];
  if (found === "zip" && /xl\/|\[Content_Types\]\.xml/.test(text)) return "excel";
  if (found !== undefined) return found;
  return isText ? textKind(new TextDecoder().decode(bytes)) : "unknown";
}

/** The encoding that a text starts in, by its byte-order mark or by the zero half of its ASCII characters. */
export function textEncoding(head: Uint8Array): "utf-8" | "utf-16le" | "utf-16be" {
  if (head[0] === 0xff && head[1] === 0xfe) return "utf-16le";
  if (head[0] === 0xfe && head[1] === 0xff) return "utf-16be";
  const pairs = Math.min(32, head.length >> 1);
  if (pairs < 4) return "utf-8";
  const are = (first: boolean): boolean =>
    Array.from({ length: pairs }, (_, i) => i).every((i) => {
      const [letter, zero] = first
        ? [head[2 * i]!, head[2 * i + 1]]
        : [head[2 * i + 1]!, head[2 * i]];
      return zero === 0 && (letter >= 32 || (letter >= 9 && letter <= 13)) && letter < 127;
    });
  return are(true) ? "utf-16le" : are(false) ? "utf-16be" : "utf-8";
}

/** What a file should have been. */
export interface WantedContent {
  kinds: readonly ContentKind[];
  /** "the matrix". */
  what: string;
  /** What to do if the file is of another format: "choose filtered_feature_bc_matrix.h5". */
  remedy: string;
}

/**
 * One sentence on a file whose first bytes are not what they should be: what it is, why, and what to do. Null if
 * it is of one of the wanted kinds. O(1).
 */
export function faultOfContent(
  file: string,
  head: Uint8Array,
  { kinds, what, remedy }: WantedContent,
): string | null {
  const kind = contentKind(head);
  if (kinds.includes(kind)) return null;
  const given = `${file} is ${WORDS[kind]}`;
  switch (kind) {
    case "empty":
      return `${given}: the copy or download failed; copy or download it again.`;
    case "zeros":
      return `${given}, not ${what}: the copy was interrupted; copy or download it again.`;
    case "web_page":
      return `${given}, not ${what}: the download failed; download it again, signed in if the site asks for it.`;
    case "server_error":
      return `${given}${quotedError(head)}, not ${what}: the download failed; download it again from a link that is still valid.`;
    case "lfs_pointer":
      return `${given}, not ${what}: run "git lfs pull" where the repository was cloned, then use the file from there.`;
    case "annex_pointer":
      return `${given}, not ${what}: run "git annex get" where the repository was cloned, then use the file from there.`;
    case "zip":
    case "tar":
    case "7z":
    case "rar":
    case "bzip2":
    case "xz":
    case "zstd":
      return `${given}, not ${what}: unpack it and use the files inside.`;
    case "excel":
      return `${given}, not ${what}: ${kinds.includes("text") ? "save the sheet as CSV" : remedy}.`;
    default:
      return `${given}, not ${what}: ${remedy}.`;
  }
}

/** Texts contain no control characters except white space; the last character may be cut off. */
function looksLikeText(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte >= 32 || (byte >= 9 && byte <= 13) || byte === 27);
}

function textKind(text: string): ContentKind {
  const start = text.trimStart();
  if (start.startsWith("version https://git-lfs.github.com/spec/")) return "lfs_pointer";
  if (/^(\.git|\/)annex\/objects\//.test(start)) return "annex_pointer";
  if (/^%%MatrixMarket/i.test(start)) return "matrix_market";
  if (/^[[{]/.test(start)) return isErrorAnswer(start) ? "server_error" : "json";
  if (start.startsWith("<")) {
    if (/<!doctype\s+html|<(html|head|body|script|meta|title)\b/i.test(start)) return "web_page";
    if (/<(\w+:)?(Error|ErrorResponse|Exception|Fault)[\s>]/.test(start)) return "server_error";
    return /<svg[\s>]/.test(start) ? "svg" : "xml";
  }
  if (text.length < 300 && ERROR_TEXT.test(start)) return "server_error";
  if (/^[AB]\n\d+\n\d+\n/.test(start)) return "r_data";
  return /^\[General\]/i.test(start) ? "mirax" : "text";
}

/** Answers such as "404: Not Found" or "Access denied" in place of a file. */
const ERROR_TEXT =
  /^((http\S*\s+)?(error\s+)?[45]\d\d\b\s*[:-]?\s*[a-z]|(access denied|forbidden|unauthorized|not found|file not found|no such file|internal server error|service unavailable|bad gateway|too many requests)\b)/i;

function isErrorAnswer(json: string): boolean {
  return (
    json.length < HEAD_BYTES && /^\{\s*"(error|errors|message|detail|status|code)"\s*:/i.test(json)
  );
}

/** The server's own words, shortened: " (AccessDenied)". */
function quotedError(head: Uint8Array): string {
  const text = new TextDecoder().decode(head);
  const code =
    /<Code>([^<]{1,60})</.exec(text) ?? /"(?:message|error|detail)"\s*:\s*"([^"]{1,60})/.exec(text);
  const said =
    code?.[1] ?? (text.includes("<") || text.includes("{") ? "" : text.trim().slice(0, 60));
  return said === "" ? "" : ` (${said})`;
}
