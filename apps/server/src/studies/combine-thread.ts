import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { join, relative } from "node:path";
import { pipeline } from "node:stream/promises";
import { EXPORTS_FOLDER, LAST_STEP, type StudyDownload } from "@stipple/contract";
import { combinedStudy, combinePart, STUDY_FILES, writeStudyReport } from "@stipple/pipeline/study";
import { zipOf } from "../outputs/zip.ts";
import { answerOrders, ownThreads, madeFile } from "./answer-orders.ts";
import { COMBINED, type CombineOrder, type Finding } from "./messages.ts";

/** The thread that writes all samples as one file. Never aborted: it is ended instead. */
const { signal } = new AbortController();

const SUFFIXES: Readonly<Record<StudyDownload, string>> = {
  h5ad: STUDY_FILES.h5ad,
  spatialdata: "spatialdata.zip",
  seurat: "seurat.zip",
  report: "report.html",
};

answerOrders(answer);

async function answer(order: CombineOrder): Promise<Finding> {
  const { samples, part, title, design, folder, space } = order;
  const study = await combinedStudy(
    samples.map(({ folder: results, ...sample }) => ({
      ...sample,
      exports: join(results, EXPORTS_FOLDER),
    })),
    design,
    space === null ? undefined : { path: space, signal },
  );
  const suffix = SUFFIXES[part];
  let path = join(folder, suffix);
  if (part === "report") {
    const named = samples.map(({ folder: results, ...sample }) => ({ ...sample, results }));
    const { notes } = study;
    await writeStudyReport(path, { title, samples: named, design, notes }, signal);
  } else {
    const written = join(folder, "written");
    await mkdir(written);
    await combinePart(written, part, study, { threads: ownThreads(), signal });
    if (part === "h5ad") path = join(written, STUDY_FILES.h5ad);
    else await pack(written, path);
  }
  return { combined: { suffix }, files: new Map([[COMBINED, await madeFile(path)]]) };
}

/** Moves a folder's files into a zip. */
async function pack(folder: string, path: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort();
  const files = await Promise.all(
    paths.map(async (name) => {
      const { size, mtime } = await stat(join(folder, name));
      return {
        ...{ projectId: "", step: LAST_STEP, path: name, size, objectSize: size },
        // A name that no other file has: the zip remembers checksums by it.
        ...{ publishedAt: mtime, sha256: join(folder, name), storageKey: "", offset: 0 },
      };
    }),
  );
  const zip = zipOf(files, (file, range) =>
    Promise.resolve(createReadStream(join(folder, file.path), range)),
  );
  await pipeline(zip.stream(), createWriteStream(path));
  await rm(folder, { recursive: true });
}
