import type { Readable } from "node:stream";
import {
  compareStudy,
  studyFile,
  studyQuality,
  studySpace,
  studySpacePoints,
  type Study,
} from "@stipple/contract";
import { STUDY_TABLE } from "@stipple/contract/routes/studies";
import { outliers, studyTable, type SpaceKind } from "@stipple/pipeline/study";
import { ApiError } from "../http/api-error.ts";
import type { FileAnswer, Mount } from "../http/route-adapter.ts";
import type { Outputs } from "../outputs/read.ts";
import { SPACE_POINTS } from "./messages.ts";
import { storedQuality } from "./sample-results.ts";
import type { Studies } from "./studies.ts";
import type { AskedComparison } from "./questions.ts";
import type { StudyComputing } from "./study-computing.ts";

/** What a study shows of its samples' results. */
export function answerRoutes(
  mount: Mount,
  parts: { studies: Studies; outputs: Outputs; studyComputing: StudyComputing },
): void {
  const { studies, outputs, studyComputing: computing } = parts;

  mount(studyQuality, async ({ results: study }) => {
    const { samples } = await studies.read(study);
    const read = await Promise.all(
      samples.map(async ({ name, project_id }) => ({
        name,
        quality: await storedQuality(outputs, project_id),
      })),
    );
    const known = read.flatMap(({ name, quality }) => (quality ? [{ name, quality }] : []));
    const shown = read.map(({ name, quality }) => ({
      name,
      quality: quality && {
        ...{ verdict: quality.verdict, spots: quality.spots, cells: quality.cells },
        ...{ genes: quality.genes, reliable_genes: quality.reliableGenes },
        median_umis_per_spot: quality.medianUmisPerSpot,
        median_genes_per_spot: quality.medianGenesPerSpot,
        heldout_correlation: quality.heldoutCorrelation,
        spots_on_tissue: quality.spotsOnTissue,
      },
    }));
    return { status: 200, body: { samples: shown, outliers: outliers(known) } };
  });

  mount(compareStudy, async ({ results: study, query }) => {
    const finding = await computing.find(await studies.read(study), askedOf(query));
    if (finding === null) return { status: 202, body: { computing: true as const } };
    return {
      status: 200,
      body: {
        refusal: "refusal" in finding ? finding.refusal : null,
        comparison: "comparison" in finding ? finding.comparison : null,
      },
    };
  });

  mount(studySpace, async ({ results: study, query }) => {
    const finding = await computing.find(await studies.read(study), kindOf(query));
    if (finding === null) return { status: 202, body: { computing: true as const } };
    return {
      status: 200,
      body: {
        refusal: "refusal" in finding ? finding.refusal : null,
        space: "space" in finding ? finding.space : null,
      },
    };
  });

  mount(studySpacePoints, async ({ results: study, query }) => {
    const read = await studies.read(study);
    const points = await computing.file(read, kindOf(query), SPACE_POINTS);
    return points
      ? attached(await points.open())
      : { status: 202, body: { computing: true as const } };
  });

  mount(studyFile, async ({ results: study, query }) => {
    const read = await studies.read(study);
    if (query.name === STUDY_TABLE) return attached(Buffer.from(await tableOf(outputs, read)));
    const { of, on, name } = query;
    const file = await computing.file(read, of ? kindOf({ of, on }) : askedOf(query), name);
    if (file === null) throw new ApiError("not_found", "There is no such file of this study.");
    return attached(await file.open());
  });
}

function attached(body: Buffer | Readable): FileAnswer {
  return {
    status: 200,
    headers: {
      "content-type": "application/octet-stream",
      "cache-control": "no-store",
      "content-disposition": "attachment",
    },
    body,
  };
}

async function tableOf(outputs: Outputs, { columns, samples }: Study): Promise<string> {
  const rows = await Promise.all(
    samples.map(async ({ name, condition, patient, batch, more, project_id }) => ({
      name,
      design: { ...more, condition, patient, batch },
      quality: await storedQuality(outputs, project_id),
      failure: "",
    })),
  );
  return studyTable(["condition", "patient", "batch", ...columns], rows);
}

function kindOf({
  of,
  on,
}: Pick<SpaceKind, "of"> & { on?: SpaceKind["on"] | undefined }): SpaceKind {
  return { of, on: on ?? "counts" };
}

function askedOf(query: {
  baseline?: string | undefined;
  other?: string | undefined;
  patients?: "yes" | "no" | undefined;
  batches?: "yes" | "no" | undefined;
}): AskedComparison {
  const { baseline, other, patients, batches } = query;
  if ((baseline === undefined) !== (other === undefined)) {
    throw new ApiError("invalid_request", "Name both conditions to compare, or neither.");
  }
  return {
    groups: baseline !== undefined && other !== undefined ? [baseline, other] : null,
    usesPatients: patients !== "no",
    usesBatches: batches !== "no",
  };
}
