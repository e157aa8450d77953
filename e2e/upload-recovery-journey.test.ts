import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describedFile } from "@stipple/contract/recognition/testing/contents";
import { PLATFORM_FIXTURES } from "@stipple/pipeline/internal/readers/testing/platform-fixtures";
import type { Browser, Page, Route } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { expectNoBarriers } from "./barriers.ts";
import { openBrowser } from "./browser.ts";
import { call } from "./client.ts";
import { passUntil } from "./clock.ts";
import { answer, arrives, newPerson, openPerson, restore, sees, type Person } from "./person.ts";
import { sharedPlatform } from "./shared-platform.ts";

const MB = 1024 * 1024;
/** Two chunks: 10 MB and 1 MB. */
const IMAGE_BYTES = 11 * MB;
const CHUNKS = "**/api/upload/he_image?**";

let url: string;
let browser: Browser;
let folder: string;
let image: string;
let account: Person;
let person: Person;
let page: Page;
let projectId: string;
/** Indices of the image's chunks in the order sent. */
let sent: number[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "stipple-recovery-"));
  image = join(folder, "he.tif");
  const bytes = Buffer.alloc(IMAGE_BYTES);
  bytes.set([0x49, 0x49, 42, 0]);
  [{ url }, browser] = await Promise.all([
    sharedPlatform(),
    openBrowser(),
    writeFile(image, bytes),
  ]);
  account = await newPerson(browser, url, "recovery");
}, 120_000);

beforeEach(async () => {
  ({ project_id: projectId } = await call(url, "POST", "/create_project", {
    token: account.token,
    body: {
      project_name: "Colon",
      analysis_options: { platform: "visium", staining: "h_and_e", analysis_type: "basic" },
    },
  }));
  person = await openPerson(browser, url, { token: account.token, email: account.email });
  page = person.page;
  sent = [];
});

afterEach(async () => {
  expect(person.faults).toEqual([]);
  await person.context.close();
});

afterAll(async () => {
  await browser?.close();
  await rm(folder, { recursive: true, force: true });
});

/** Writes a file that holds what its name promises; returns its SHA-256. See `describedFile`. */
async function writeDescribed(line: string): Promise<string> {
  const { path, bytes } = await describedFile(line);
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), bytes);
  return createHash("sha256").update(bytes).digest("hex");
}

const row = (name: string) => page.getByRole("listitem").filter({ hasText: name });
const uploaded = () => row("Histology image").getByText("Uploaded", { exact: true });
const bar = () => page.getByRole("progressbar", { name: "Upload of he.tif" });
const percent = async () => Number(await bar().getAttribute("aria-valuenow"));

async function open(): Promise<void> {
  await page.goto(`/analysis/step2?project_id=${projectId}`);
  await page.getByRole("heading", { name: "Step 2 File Upload" }).waitFor();
  await page.getByText("Still missing:").waitFor();
}

const choose = (file: string | string[]) => page.getByLabel("Files to upload").setInputFiles(file);

/** Drops something without files on a heading; returns whether the browser would open it by default. */
function dropNothing(heading: string): Promise<boolean> {
  return page.getByRole("heading", { name: heading }).evaluate((one) => {
    const { DataTransfer, DragEvent } = one.ownerDocument.defaultView as never as Record<
      string,
      new (...options: unknown[]) => never
    >;
    const dataTransfer = new DataTransfer();
    const options = { bubbles: true, cancelable: true, dataTransfer };
    return one.dispatchEvent(new DragEvent("drop", options));
  });
}

/** Intercepts every chunk; `handle` decides what happens to the one with this number (from 1). */
async function watchChunks(
  handle: (nth: number, route: Route) => Promise<void> = (_, route) => route.continue(),
): Promise<void> {
  await page.route(CHUNKS, async (route) => {
    const index = /name="chunk"\r\n\r\n(\d+)/.exec(route.request().postData() ?? "")?.[1];
    sent.push(Number(index));
    await handle(sent.length, route);
  });
}

describe("an upload continues", () => {
  it("in chunks, with percentage, speed, and time left, while the user navigates the app", async () => {
    const network = await person.context.newCDPSession(page);
    const limit = (uploadThroughput: number) =>
      network.send("Network.emulateNetworkConditions", {
        offline: false,
        latency: 0,
        downloadThroughput: -1,
        uploadThroughput,
      });
    await limit(MB / 2);
    await open();
    await choose(image);
    await page.getByText(/^\d+% · [\d.]+ [kM]B\/s · \d+ s left$/).waitFor();
    await sees(page, /This file seems too small \(11\.0 MB\)\. .*full resolution image/);
    await expectNoBarriers(page);
    const before = await percent();
    await page.getByRole("link", { name: "Back", exact: true }).click();
    await arrives(page, "/analysis/step1");
    await page.goBack();
    await arrives(page, "/analysis/step2");
    await expect.poll(percent).toBeGreaterThanOrEqual(before);
    await page.getByRole("link", { name: "Back", exact: true }).click();
    await arrives(page, "/analysis/step1");
    await limit(-1);
    await sees(page, "he.tif uploaded successfully");
    await page.goBack();
    await uploaded().waitFor();
    await row("Histology image").getByText("100%").waitFor();
  });

  it("when a chunk fails, retrying after one second, then two", async () => {
    await page.clock.install();
    await watchChunks((nth, route) =>
      nth === 2 || nth === 3
        ? route.fulfill({ status: 503, json: { error: "The disk rests." } })
        : route.continue(),
    );
    await open();
    await page.clock.pauseAt(Date.now() + 3_600_000);
    await choose(image);
    await passUntil(page, page.getByText("Connection problem. Retrying (1 of 5)"));
    await sees(page, "Error uploading he.tif: The disk rests.");
    await passUntil(page, page.getByText("Connection problem. Retrying (2 of 5)"));
    await passUntil(page, uploaded());
    await expect.poll(() => page.getByText(/Error uploading/).count()).toBe(0);
    expect(sent).toEqual([0, 1, 1, 1]);
  });

  it("when the network comes back", async () => {
    let cut = (): void => undefined;
    const reached = new Promise<void>((done) => (cut = done));
    await watchChunks(async (nth, route) => {
      if (nth !== 2) return route.continue();
      await person.context.setOffline(true);
      cut();
      await route.abort("internetdisconnected");
    });
    await open();
    await choose(image);
    await reached;
    await sees(page, "Paused: no network. It resumes automatically.");
    await expectNoBarriers(page);
    await person.context.setOffline(false);
    await uploaded().waitFor();
    expect(sent).toEqual([0, 1, 1]);
  });

  it("after a new login when the session ended midway", async () => {
    await watchChunks((nth, route) =>
      nth === 2
        ? route.fulfill({ status: 401, json: { error: "The session has ended." } })
        : route.continue(),
    );
    await open();
    await choose(image);
    const dialog = page.getByRole("alertdialog", { name: "Session Expired" });
    await dialog.waitFor();
    await page.getByText("Paused: log in again to continue.").waitFor();
    await dialog.getByRole("button", { name: "Log In" }).click();
    await page.getByLabel("Email").fill(account.email);
    await page.getByLabel("Password").fill("Correct-horse-9!");
    await page.getByRole("button", { name: "Sign In" }).click();
    await arrives(page, "/analysis/step2");
    await uploaded().waitFor();
    expect(sent).toEqual([0, 1, 1]);
  });

  it("after a reload, sending only what is missing once the same file is chosen again", async () => {
    await watchChunks((nth, route) =>
      nth === 2 ? new Promise(() => undefined) : route.continue(),
    );
    await open();
    await choose(image);
    await expect.poll(() => sent).toEqual([0, 1]);
    await page.reload();
    await page.unrouteAll({ behavior: "ignoreErrors" });
    await sees(page, "50% of he.tif was uploaded. Choose the same file again to resume.");
    await expectNoBarriers(page);
    sent = [];
    await watchChunks();
    await choose(image);
    await uploaded().waitFor();
    expect(sent).toEqual([1]);
  });

  it("without sending a byte if the file already exists; a different file of that name is sent whole", async () => {
    await open();
    await choose(image);
    await uploaded().waitFor();
    await page.reload();
    await uploaded().waitFor();
    await watchChunks();
    await choose(image);
    await sees(page, "he.tif uploaded successfully");
    expect(sent).toEqual([]);
    const other = join(folder, "other", "he.tif");
    await mkdir(join(folder, "other"));
    const bytes = Buffer.alloc(IMAGE_BYTES, 1);
    bytes.set([0x49, 0x49, 42, 0]);
    await writeFile(other, bytes);
    await choose(other);
    await expect.poll(() => sent).toEqual([0, 1]);
    await uploaded().waitFor();
  });
});

describe("an upload ends", () => {
  it("with or without the server's reason; Retry sends it again", async () => {
    await open();
    await answer(page, "/upload/he_image", {
      status: 422,
      json: { error: "It is not whole." },
      times: 1,
    });
    await choose(image);
    await sees(page, "Error uploading he.tif: It is not whole.");
    await expectNoBarriers(page);
    await answer(page, "/upload/he_image", { status: 422, times: 1 });
    await page.getByRole("button", { name: "Retry Histology image" }).click();
    await sees(page, "Error uploading he.tif: Upload failed");
    await page.getByRole("button", { name: "Retry Histology image" }).click();
    await uploaded().waitFor();
  });

  it("after five failed retries", async () => {
    await page.clock.install();
    await watchChunks((_, route) => route.abort());
    await open();
    await page.clock.pauseAt(Date.now() + 3_600_000);
    await choose(image);
    for (const retry of [1, 2, 3, 4, 5]) {
      await passUntil(page, page.getByText(`Connection problem. Retrying (${retry} of 5)`));
    }
    await passUntil(page, page.getByRole("button", { name: "Retry Histology image" }));
    expect(sent).toEqual([0, 0, 0, 0, 0, 0]);
  });

  it("when canceled", async () => {
    await watchChunks(() => new Promise(() => undefined));
    await open();
    await choose(image);
    await page.getByRole("button", { name: "Cancel Histology image" }).click();
    await row("Histology image").getByText("Missing", { exact: true }).waitFor();
    await page.unrouteAll({ behavior: "ignoreErrors" });
  });
});

describe("files", () => {
  it("are sent three at a time, each chunk with its checksum", async () => {
    let flying = 0;
    let most = 0;
    let letGo = (): void => undefined;
    const held = new Promise<void>((done) => (letGo = done));
    const bodies: string[] = [];
    await page.route("**/api/upload/**", async (route) => {
      if (route.request().method() !== "POST") return route.continue();
      bodies.push(route.request().postData() ?? "");
      most = Math.max(most, ++flying);
      await held;
      flying -= 1;
      await route.fulfill({ json: { complete: false } });
    });
    await open();
    const names = [
      "barcodes.tsv.gz",
      "features.tsv.gz",
      "matrix.mtx.gz",
      "tissue_positions.csv",
      "scalefactors_json.json",
    ];
    const files = names.map((name) => join(folder, name));
    const sums = await Promise.all(names.map(writeDescribed));
    await choose(files);
    await expect.poll(() => most).toBe(3);
    await expect.poll(() => page.getByText("Waiting", { exact: true }).count()).toBe(2);
    await sees(page, /^5 files are still being uploaded\./);
    letGo();
    await expect.poll(() => bodies.length).toBeGreaterThanOrEqual(5);
    expect(most).toBe(3);
    for (const body of bodies) expect(sums.filter((sum) => body.includes(sum))).toHaveLength(1);
    await page.unrouteAll({ behavior: "ignoreErrors" });
  });

  it("of two samples are refused, which are named", async () => {
    const positions = "outs/spatial/tissue_positions.csv";
    await writeDescribed(`run/A/${positions}`);
    await writeDescribed(`run/B/${positions} = "AAACAAGTATCTCCCA-1,1,0,0,9,9\\n`);
    await open();
    await page.getByLabel("Space Ranger folder").setInputFiles(join(folder, "run"));
    await sees(page, /contains 2 samples \(run\/A\/outs and run\/B\/outs\)/);
    await expect.poll(() => page.getByText("Uploaded", { exact: true }).count()).toBe(0);
    await expectNoBarriers(page);
  });

  it("of a folder that are not needed are counted, and named with the reason", async () => {
    for (const name of [
      "filtered_feature_bc_matrix.h5",
      "raw_feature_bc_matrix.h5",
      "spatial/scalefactors_json.json",
      "spatial/cytassist_image.tiff",
      "web_summary.html",
    ]) {
      await writeDescribed(`one/outs/${name}`);
    }
    await open();
    await page.getByLabel("Space Ranger folder").setInputFiles(join(folder, "one"));
    await row("Scale factors").getByText("Uploaded", { exact: true }).waitFor();
    await sees(page, "Skipped 3 files we don't need.");
    await page.getByText("Which files, and why").click();
    await sees(page, /^raw_feature_bc_matrix\.h5 is of the unfiltered matrix/);
    await sees(page, /^cytassist_image\.tiff is a picture that Space Ranger made/);
    await expectNoBarriers(page);
  });

  it("that do not fit together are told before a run, which is refused and not counted", async () => {
    const sample = join(folder, "apart");
    await mkdir(sample);
    const { files } = await PLATFORM_FIXTURES.visium(sample);
    const text = await readFile(files.positions, "utf8");
    await writeFile(files.positions, text.replaceAll("TTGCA", "TTGCC"));
    await open();
    await page.getByLabel("Space Ranger folder").setInputFiles(sample);
    const notice = page.getByRole("alert").filter({ hasText: "can't be analyzed together" });
    await notice.getByText(/No barcode in barcodes\.tsv\.gz .* has a position/).waitFor();
    await sees(page, /^Replace the file that doesn't fit, or change the configuration\./);
    await expectNoBarriers(page);
    const body = { project_id: projectId, start_step: 0 };
    await expect(
      call(url, "POST", "/run_workflow", { token: account.token, body }),
    ).rejects.toThrow(/422 .*No barcode in barcodes\.tsv\.gz/);
  });

  it("wait for the project, whose resolution determines which of them apply", async () => {
    await answer(page, "/projects", { status: 400 });
    await open();
    const unread = page.getByText(/^Error: This project could not be loaded/);
    await unread.waitFor();
    await choose(image);
    await expectNoBarriers(page);
    await unread.waitFor();
    await restore(page);
    await choose(image);
    await uploaded().waitFor();
    await expect.poll(() => unread.count()).toBe(0);
  });

  it("of the wrong kind are rejected with a reason, others accepted", async () => {
    const reasons = {
      "slide.tiff": /Rename it to slide\.tif/,
      "slide.czi": /export the image/,
      "image.tif.gz": /is compressed: unpack it \(gunzip\)/,
      "outs.zip": /is an archive: unpack it/,
      "notes.docx": /doesn.t match any expected file/,
    };
    const names = [...Object.keys(reasons), "scalefactors_json.json"];
    await Promise.all(names.map(writeDescribed));
    const files = names.map((name) => join(folder, name));
    await open();
    await choose(files);
    const refused = page.getByRole("alert").filter({ hasText: "Not accepted" });
    for (const [name, reason] of Object.entries(reasons)) {
      await refused.getByRole("listitem").filter({ hasText: name }).getByText(reason).waitFor();
    }
    await expectNoBarriers(page);
    await page.getByLabel(/^Histology image file/).setInputFiles(join(folder, "slide.tiff"));
    await row("Histology image")
      .getByRole("paragraph")
      .filter({ hasText: /accepted types are \.tif and \.btf/ })
      .waitFor();
    // Dropping nothing is handled as well.
    await dropNothing("Drop the Space Ranger folder");
    await page.getByRole("alert").getByText("Please select a file.", { exact: true }).waitFor();
  });

  it("that miss the drop zone do not navigate away from the app", async () => {
    await open();
    await expect.poll(() => dropNothing("Step 2 File Upload")).toBe(false);
    await page.getByRole("link", { name: "Back", exact: true }).click();
    await arrives(page, "/analysis/step1");
    await expect.poll(() => dropNothing("Step 1 Configuration")).toBe(true);
  });

  it("require a project", async () => {
    await page.goto("/analysis/step2");
    await sees(page, "Project ID is missing. Please create a project first.");
    await expectNoBarriers(page);
    await page.getByRole("link", { name: "Create a project" }).click();
    await arrives(page, "/analysis/step1");
  });
});
