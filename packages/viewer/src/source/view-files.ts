import type { ProteinColumn, ViewerManifest } from "@stipple/contract/viewer-manifest";
import { decodeColumn } from "./columns.ts";
import type { ViewSource } from "./source.ts";

/** The files of one view, as the analysis writes them, by their paths below `manifest.json`. */
export interface ViewFiles {
  /** Undefined if there is no such file; a server may also refuse with status 404. */
  file(path: string, signal?: AbortSignal | null): Promise<Response | undefined>;
  /** Bytes `from` ≤ b < `to`. */
  range(path: string, from: number, to: number, signal?: AbortSignal): Promise<ArrayBuffer>;
}

/** The data of a view from its files, wherever they are. */
export function sourceOfFiles(manifest: ViewerManifest, files: ViewFiles): ViewSource {
  const whole = async (path: string, signal?: AbortSignal): Promise<Response> => {
    const found = await files.file(path, signal);
    if (!found) throw new Error(`The view has no file ${path}: copy its whole folder.`);
    return found;
  };
  return {
    manifest,
    async column(name, signal) {
      const description = isProtein(name)
        ? manifest.proteins?.find((protein) => `protein:${protein.name}` === name)?.column
        : manifest.columns[name];
      if (!description) throw new Error(`This view has no column ${name}.`);
      const content = await whole(description.file, signal);
      return decodeColumn(await content.arrayBuffer(), description);
    },
    tile: async (path, signal) => createImageBitmap(await (await whole(path, signal)).blob()),
    range: (path, from, to, signal) => files.range(path, from, to, signal),
    async file(path, signal) {
      const found = await files.file(path, signal).catch(noneIfMissing);
      return found && new Uint8Array(await found.arrayBuffer());
    },
  };
}

function isProtein(name: string): name is ProteinColumn {
  return name.startsWith("protein:");
}

function noneIfMissing(error: unknown): undefined {
  if ((error as { status?: unknown } | null)?.status === 404) return undefined;
  throw error;
}
