import type { Readable } from "node:stream";
import type { Study } from "@stipple/contract";
import { STUDY_TABLE } from "@stipple/contract/routes/studies";
import { outliers, studyTable, type SpaceKind } from "@stipple/pipeline/study";
import type { OwnedStudy } from "../access/opened-results.ts";
import { namesOfRegions } from "../annotations/named-regions.ts";
import type { Database } from "../db/database.ts";
import { ApiError } from "../http/api-error.ts";
import type { FileAnswer } from "../http/route-adapter.ts";
import type { Outputs } from "../outputs/read.ts";
import { SPACE_POINTS } from "./messages.ts";
import type { AskedComparison } from "./questions.ts";
import { storedQuality } from "./sample-results.ts";
import type { Studies } from "./studies.ts";
import type { StudyComputing } from "./study-computing.ts";

interface AskedConditions {
  baseline?: string | undefined;
  other?: string | undefined;
  patients?: "yes" | "no" | undefined;
  batches?: "yes" | "no" | undefined;
  region?: string | undefined;
}

interface AskedSpace {
  of: SpaceKind["of"];
  on?: SpaceKind["on"] | undefined;
}

/** What a study's pages show of its samples' results, to its owner and to those with a share link. */
export function openStudyAnswers(parts: {
  database: Pick<Database, "db">;
  studies: Pick<Studies, "read">;
  outputs: Outputs;
  studyComputing: StudyComputing;
}) {
  const { studies, outputs, studyComputing: computing } = parts;
  const underWay = { status: 202 as const, body: { computing: true as const } };

  return {
    quality: (study: Study) => qualitySideBySide(outputs, study),
    async comparison(study: OwnedStudy, asked: AskedConditions) {
      const read = await studies.read(study);
      const finding = await computing.find(read, askedOf(asked));
      if (finding === null) return underWay;
      const projectIds = read.samples.flatMap(({ project_id }) => project_id ?? []);
      const body = {
        regions: await namesOfRegions(parts.database.db, projectIds),
        refusal: "refusal" in finding ? finding.refusal : null,
        comparison: "comparison" in finding ? finding.comparison : null,
      };
      return { status: 200 as const, body };
    },
    async space(study: OwnedStudy, asked: AskedSpace) {
      const finding = await computing.find(await studies.read(study), kindOf(asked));
      if (finding === null) return underWay;
      const body = {
        refusal: "refusal" in finding ? finding.refusal : null,
        space: "space" in finding ? finding.space : null,
      };
      return { status: 200 as const, body };
    },
    async points(study: OwnedStudy, asked: AskedSpace) {
      const points = await computing.file(await studies.read(study), kindOf(asked), SPACE_POINTS);
      return points ? attached(await points.open()) : underWay;
    },
    async file(
      study: OwnedStudy,
      asked: AskedConditions & {
        of?: AskedSpace["of"] | undefined;
        on?: AskedSpace["on"];
        name: string;
      },
    ): Promise<FileAnswer> {
      const read = await studies.read(study);
      if (asked.name === STUDY_TABLE) return attached(Buffer.from(await tableOf(outputs, read)));
      const { of, on, name } = asked;
      const file = await computing.file(read, of ? kindOf({ of, on }) : askedOf(asked), name);
      if (file === null) throw new ApiError("not_found", "There is no such file of this study.");
      return attached(await file.open());
    },
  };
}

async function qualitySideBySide(outputs: Outputs, { samples }: Study) {
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
      clear_image: quality.clearImage,
      spots_on_tissue: quality.spotsOnTissue,
    },
  }));
  return { samples: shown, outliers: outliers(known) };
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

function kindOf({ of, on }: AskedSpace): SpaceKind {
  return { of, on: on ?? "counts" };
}

function askedOf({ baseline, other, patients, batches, region }: AskedConditions): AskedComparison {
  if ((baseline === undefined) !== (other === undefined)) {
    throw new ApiError("invalid_request", "Name both conditions to compare, or neither.");
  }
  return {
    groups: baseline !== undefined && other !== undefined ? [baseline, other] : null,
    usesPatients: patients !== "no",
    usesBatches: batches !== "no",
    region: region || null,
  };
}
