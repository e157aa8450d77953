import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { contentKind, faultOfContent, HEAD_BYTES, textEncoding } from "./content-kind.ts";

const latin = (text: string): Buffer => Buffer.from(text, "latin1");
const at = (place: number, text: string): Buffer =>
  Buffer.concat([Buffer.alloc(place, 1), latin(text), Buffer.alloc(64, 1)]);
const utf16 = (text: string): Buffer => Buffer.from(text, "utf16le");

it.each([
  ["empty", Buffer.alloc(0)],
  ["zeros", Buffer.alloc(40)],
  ["zeros", Buffer.alloc(5000)],
  ["web_page", latin("<!DOCTYPE html><html><head><title>Sign in</title></head></html>")],
  ["web_page", latin('\n\n  <html lang="en">')],
  ["web_page", Buffer.from("\ufeff<!-- cached --><html>")],
  ["web_page", latin('<?xml version="1.0"?><!DOCTYPE html PUBLIC "x"><html>')],
  ["server_error", latin('<?xml version="1.0"?><Error><Code>AccessDenied</Code></Error>')],
  ["server_error", latin('{"message":"Not Found","documentation_url":"x"}')],
  ["server_error", latin("404: Not Found")],
  ["server_error", latin("Access denied")],
  ["lfs_pointer", latin("version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12\n")],
  ["annex_pointer", latin("/annex/objects/SHA256E-s1--00.h5\n")],
  ["matrix_market", latin("%%MatrixMarket matrix coordinate integer general\n")],
  ["json", latin('{"tissue_hires_scalef": 0.5}')],
  ["xml", latin("<?xml version='1.0'?><OME></OME>")],
  ["svg", latin("<svg xmlns='x'></svg>")],
  ["text", latin("AAACAAGTATCTCCCA-1,1,50,102,7237,8230\n")],
  ["text", latin("BMP4\nBZ1\n")],
  ["text", latin("404\t12\t7\n405\t1\t2\n")],
  ["text_utf16", Buffer.concat([Buffer.of(0xff, 0xfe), utf16("barcode,in_tissue")])],
  ["text_utf16", Buffer.concat([Buffer.of(0xfe, 0xff), utf16("barcode,in").swap16()])],
  ["text_utf16", utf16("barcode,in_tissue\n")],
  ["gzip", gzipSync("x")],
  ["zip", latin("PK\x03\x04\x14\0\0\0outs/")],
  ["excel", latin("PK\x03\x04\x14\0\x06\0\x08\0[Content_Types].xml")],
  ["excel", latin("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")],
  ["tar", at(257, "ustar\x0000")],
  ["hdf5", latin("\x89HDF\r\n\x1a\n\0")],
  ["hdf5", at(512, "\x89HDF\r\n\x1a\n")],
  ["parquet", latin("PAR1\x15\0")],
  ["tiff", latin("II*\0\x08\0\0\0")],
  ["tiff", latin("MM\0+\0\x08\0\0")],
  ["png", latin("\x89PNG\r\n\x1a\n")],
  ["jpeg", latin("\xff\xd8\xff\xe0")],
  ["czi", latin("ZISRAWFILE\0\0")],
  ["dicom", at(128, "DICM")],
  ["r_data", latin("RDX3\nX\n\0\0\0\x03")],
  ["unknown", Buffer.of(1, 2, 3, 200, 7)],
] as const)("recognizes %s", (kind, head) => {
  expect(contentKind(head)).toBe(kind);
  expect(contentKind(head.subarray(0, HEAD_BYTES))).toBe(kind);
});

it("tells the encoding of a text by its mark or its zeros", () => {
  expect(textEncoding(utf16("barcode,in_tissue"))).toBe("utf-16le");
  expect(textEncoding(utf16("barcode,in_tissue").swap16())).toBe("utf-16be");
  expect(textEncoding(latin("barcode,in_tissue"))).toBe("utf-8");
  expect(textEncoding(latin("ab"))).toBe("utf-8");
});

it("says what a file is instead, why, and what to do", () => {
  const wanted = { kinds: ["hdf5"], what: "the matrix", remedy: "choose the matrix" } as const;
  const fault = (head: Uint8Array): string | null => faultOfContent("m.h5", head, wanted);
  expect(fault(latin("\x89HDF\r\n\x1a\n"))).toBeNull();
  expect(fault(latin("<html><body>Please sign in"))).toBe(
    "m.h5 is a web page, not the matrix: the download failed; download it again, signed in if the site asks for it.",
  );
  expect(fault(latin("<Error><Code>NoSuchKey</Code></Error>"))).toMatch(
    /^m\.h5 is an error message of a download server \(NoSuchKey\), not the matrix: the download failed/,
  );
  expect(fault(latin("404: Not Found\n"))).toMatch(/server \(404: Not Found\), not the matrix/);
  expect(fault(latin("version https://git-lfs.github.com/spec/v1\n"))).toMatch(/"git lfs pull"/);
  expect(fault(Buffer.alloc(0))).toMatch(/^m\.h5 is empty: the copy or download failed/);
  expect(fault(Buffer.alloc(9))).toMatch(/^m\.h5 is filled with zeros, not the matrix/);
  expect(fault(latin("PK\x03\x04"))).toMatch(/a zip archive, not the matrix: unpack it/);
  expect(fault(latin("\x89PNG\r\n\x1a\n"))).toBe(
    "m.h5 is a PNG image, not the matrix: choose the matrix.",
  );
});
