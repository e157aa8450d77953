import { existsSync } from "node:fs";
import { cp, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { call, newAccount, whenCompleted } from "../../e2e/client.ts";
import type { Platform } from "../../e2e/platform.ts";

/** The user in the film, with a finished project of the name typed in it. */
export interface Actors {
  token: string;
  projectId: string;
}

export const PROJECT_NAME = "Breast tumor, section 3";
const EMAIL = "ada.film@example.org";

/**
 * Creates the account, its plan, and the finished project, unless the data folder has them from an earlier take. The
 * plan is bought in the payment sandbox, as a user would, because a trial cannot download.
 */
export async function findActors(
  platform: Platform,
  browser: Browser,
  folder: string,
): Promise<Actors> {
  const kept = join(platform.dataDir, "film.json");
  if (existsSync(kept)) return JSON.parse(await readFile(kept, "utf8")) as Actors;
  const { url } = platform;
  const token = await newAccount(url, EMAIL);
  const context = await browser.newContext({ baseURL: url });
  await context.addInitScript(`localStorage.setItem("token", ${JSON.stringify(token)})`);
  const page = await context.newPage();
  await page.goto("/pricing");
  await page
    .getByRole("article", { name: "Professional Tier" })
    .getByRole("button", { name: "Select Plan" })
    .click();
  await page.getByRole("button", { name: "Subscribe" }).click();
  await page.getByText(/Your plan is active/).waitFor();

  // The sample project only provides the files; it is never run.
  await call(url, "POST", "/create_sample_project", { token });
  const { project_id: projectId } = await call(url, "POST", "/create_project", {
    token,
    body: {
      project_name: PROJECT_NAME,
      analysis_options: { platform: "visium", staining: "h_and_e", analysis_type: "advanced" },
    },
  });
  await page.goto(`/analysis/step2?project_id=${projectId}`);
  await page
    .locator("input[webkitdirectory]")
    .setInputFiles(await spaceRangerFolder(platform, folder));
  await page.getByText("All required files are uploaded.").waitFor({ timeout: 120_000 });
  await context.close();
  await call(url, "POST", "/run_workflow", {
    token,
    body: { project_id: projectId, start_step: 0 },
  });
  await whenCompleted(url, token, projectId);
  await writeFile(kept, JSON.stringify({ token, projectId }));
  return { token, projectId };
}

/** The files of the sample tissue in a separate folder with Space Ranger's layout. */
export async function spaceRangerFolder(platform: Platform, folder: string): Promise<string> {
  const outs = join(folder, "outs");
  if (existsSync(outs)) return outs;
  const sample = join(platform.dataDir, "sample");
  const [tissue] = await readdir(sample);
  if (!tissue) throw new Error(`There is no sample tissue in ${sample}.`);
  for (const name of [
    "filtered_feature_bc_matrix",
    "filtered_feature_bc_matrix.h5",
    "spatial",
    "image.tif",
  ]) {
    await cp(join(sample, tissue, name), join(outs, name), { recursive: true });
  }
  return outs;
}
