/** What a block unpacks to. */
export interface BlockSize {
  /** Bytes of its pixels. */
  size: number;
  pixels: number;
}

/** Some writers add a few bytes after a block's pixels. */
const SLACK_BYTES = 65_536;

/** Limits zlib: a block that unpacks to much more is damaged. */
export function limitOf({ size }: BlockSize): { maxOutputLength: number } {
  return { maxOutputLength: size + SLACK_BYTES };
}
