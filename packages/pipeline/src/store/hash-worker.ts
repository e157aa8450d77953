import { hashFile } from "./hash-file.ts";

/** Runs in a worker thread. */
export default function work(
  _shared: object,
  { path }: { path: string },
): Promise<{ size: number; sha256: string }> {
  return hashFile(path);
}
