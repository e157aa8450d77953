import type { PlatformId } from "@stipple/contract";
import { hdVisiumReader } from "./hd-visium/reader.ts";
import type { PlatformReader } from "./platform-reader.ts";
import { stReader } from "./st/reader.ts";
import { visiumReader } from "./visium/reader.ts";

/** One reader for every platform in the contract: an entry without a reader does not compile. */
const READERS: { readonly [Id in PlatformId]: PlatformReader } = {
  visium: visiumReader,
  hd_visium: hdVisiumReader,
  st: stReader,
};

export function readerOf(platform: PlatformId): PlatformReader {
  return READERS[platform];
}
