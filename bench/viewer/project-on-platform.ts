import { link, mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { call, newAccount } from "../../e2e/client.ts";
import type { Platform } from "../../e2e/platform.ts";

/** Makes a finished project of a results folder, whose files are shared with it, and returns the address of its view. */
export async function placeOnPlatform(
  { url, dataDir }: Platform,
  results: string,
  name: string,
): Promise<string> {
  const token = await newAccount(url, `${name}@example.org`);
  const { project_id: id } = await call(url, "POST", "/create_project", {
    token,
    body: {
      project_name: name,
      analysis_options: {
        platform: "hd_visium",
        staining: "h_and_e",
        analysis_type: "basic",
        resolution: "8",
      },
    },
  });
  await linkFolder(results, join(dataDir, "files/projects", id, "results"));
  const view = await call(url, "POST", `/start_visualization?project_id=${id}`, { token });
  return view.url;
}

/** The folder again at another place, with the same files: nothing is copied. Both have to be on one disk. */
async function linkFolder(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    await (entry.isDirectory() ? linkFolder(source, target) : link(source, target));
  }
}
