import { viewerManifest } from "@stipple/contract/viewer-manifest";
import type { ViewSource } from "./source.ts";
import { sourceOfFiles } from "./view-files.ts";

/**
 * The view in a folder that the user chose (`<input type="file" webkitdirectory>`): the one with `manifest.json`,
 * anywhere in it. Files are read when needed, outlines and tiles piece by piece. Throws a sentence if there is no view
 * that this version can show.
 */
export async function folderSource(files: Iterable<File>): Promise<ViewSource> {
  const all = new Map([...files].map((file) => [file.webkitRelativePath || file.name, file]));
  const [path, description] = [...all].find(([name]) => /(^|\/)manifest\.json$/.test(name)) ?? [];
  if (path === undefined || !description)
    throw new Error("The folder has no manifest.json: choose the folder of an interactive view.");
  const folder = path.slice(0, -"manifest.json".length);
  const manifest = viewerManifest.safeParse(parsed(await description.text()));
  if (!manifest.success)
    throw new Error(
      `${path} does not describe a view of this version: run the last steps of the analysis again.`,
    );
  return sourceOfFiles(manifest.data, {
    async file(name) {
      const file = all.get(folder + name);
      return file && new Response(file);
    },
    async range(name, from, to) {
      const file = all.get(folder + name);
      if (!file) throw new Error(`The folder has no file ${name}: copy the whole folder.`);
      return file.slice(from, to).arrayBuffer();
    },
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
