import { hash } from "node:crypto";
import { join } from "node:path";
import type { Study, StudyDownload } from "@stipple/contract";
import { spaceFields, SUMMED_FIELDS, type SpaceKind } from "@stipple/pipeline/study";
import { correctedTypes, type CorrectedTypes } from "../annotations/corrected-types.ts";
import { regionsCalled, type CalledRegions } from "../annotations/named-regions.ts";
import type { Db } from "../db/database.ts";
import type { Outputs, StoredFile } from "../outputs/read.ts";
import type { FindingKind, Findings } from "./findings.ts";
import { SPACE_CELLS, type Order } from "./messages.ts";
import { combinedFiles, filesOfFields, resultsOf, type SampleResults } from "./sample-results.ts";

/** What a comparison of a study asks for. */
export interface AskedComparison {
  groups: [string, string] | null;
  usesPatients: boolean;
  usesBatches: boolean;
  /** Name or class of the regions whose cells are compared; null for all cells. */
  region: string | null;
}

/** A comparison, a joint space, or all samples as one file. */
export type Asked = AskedComparison | SpaceKind | { part: StudyDownload };

/** What is asked of which results. Equal keys have equal findings. */
export interface Question {
  key: string;
  kind: FindingKind;
  lane: Order["lane"];
  /** What a thread needs of each sample; equal contents have equal files. */
  samples: { content: string; files: () => Promise<StoredFile[]> }[];
  /** Key of the joint space that a combined file holds. */
  space?: string | undefined;
  /** For the thread, with a folder for each sample and one for what it makes. */
  order(folders: readonly string[], folder: string): Order | Promise<Order>;
}

interface Parts {
  db: Db;
  outputs: Outputs;
  kept: Pick<Findings, "read">;
}

/** Raised when what is found is something else, or said in another form. */
const [FINDING_VERSION, SPACE_VERSION, COMBINED_VERSION] = [6, 1, 7];

export async function questionOf(
  parts: Parts,
  study: Study,
  asked: Asked,
): Promise<Question | { refusal: string }> {
  if ("part" in asked) {
    const space = asked.part === "report" ? undefined : await keptSpace(parts, study);
    return combineQuestion(parts, study, asked.part, space);
  }
  return "of" in asked ? spaceQuestion(parts, study, asked) : compareQuestion(parts, study, asked);
}

async function spaceQuestion(
  { outputs }: Parts,
  study: Study,
  kind: SpaceKind,
): Promise<Question | { refusal: string }> {
  const fields = spaceFields(kind);
  const results = await resultsOf(outputs, study, fields);
  if ("refusal" in results) return results;
  const samples = results.map((one) => ({ ...sampleOf(one), patient: "" }));
  return {
    key: keyOf([SPACE_VERSION, samples, kind.of, kind.on]),
    kind: "answer",
    lane: "space",
    samples: results.map(({ content, projectId, files }) => ({
      content,
      files: () => files(() => filesOfFields(outputs, projectId, fields)),
    })),
    order(folders, folder) {
      const placed = samples.map((sample, i) => ({ ...sample, folder: folders[i] }));
      return { lane: "space", order: { samples: placed, kind, folder } };
    },
  };
}

async function compareQuestion(
  { db, outputs }: Parts,
  study: Study,
  { groups, usesPatients, usesBatches, region }: AskedComparison,
): Promise<Question | { refusal: string }> {
  const results = await resultsOf(outputs, study, SUMMED_FIELDS);
  if ("refusal" in results) return results;
  const regions: CalledRegions[] = [];
  for (const { projectId, sample } of region === null ? [] : results) {
    const own = await regionsCalled(db, projectId, region!);
    if (!own) {
      return {
        refusal: `${sample.name} has no region called "${region}": draw one in its view, or compare all cells.`,
      };
    }
    regions.push(own);
  }
  const corrected = await correctedOf(db, results);
  const samples = results.map((one, i) => {
    const { patient, batch, ...sample } = sampleOf(one);
    return {
      ...sample,
      patient: usesPatients ? patient : "",
      batch: usesBatches ? batch : "",
      region: regions[i]?.state ?? "",
      types: corrected[i].state,
    };
  });
  return {
    key: keyOf([FINDING_VERSION, samples, groups, region]),
    kind: "answer",
    lane: "compare",
    samples: results.map(({ content, projectId, files }) => ({
      content,
      files: () => files(() => filesOfFields(outputs, projectId, SUMMED_FIELDS)),
    })),
    async order(folders) {
      const placed = [];
      for (const [i, sample] of samples.entries()) {
        const within = region === null ? undefined : await regions[i].polygons();
        const annotations = await corrected[i].items();
        placed.push({ ...sample, folder: folders[i], within, annotations });
      }
      return { lane: "compare", order: { samples: placed, groups, region } };
    },
  };
}

function correctedOf(db: Db, results: readonly SampleResults[]): Promise<CorrectedTypes[]> {
  return Promise.all(results.map(({ projectId }) => correctedTypes(db, projectId)));
}

/** Key of the joint space of cells that was found, by counts rather than by rates. */
async function keptSpace(parts: Parts, study: Study): Promise<string | undefined> {
  for (const on of ["counts", "rate"] as const) {
    const question = await questionOf(parts, study, { of: "cells", on });
    if ("refusal" in question) return undefined;
    const found = await parts.kept.read(study.id, question.key);
    if (found && "space" in found) return question.key;
  }
  return undefined;
}

async function combineQuestion(
  { db, outputs }: Parts,
  study: Study,
  part: StudyDownload,
  space: string | undefined,
): Promise<Question | { refusal: string }> {
  const results = await resultsOf(outputs, study, null);
  if ("refusal" in results) return results;
  const samples = results.map(({ sample: { name, condition, patient, batch, more } }) => ({
    ...{ name, design: { condition, patient, batch, ...more } as Record<string, string> },
  }));
  const design = ["condition", "patient", "batch", ...study.columns].filter((column) =>
    samples.some((sample) => sample.design[column]),
  );
  const title = part === "report" ? study.name : "";
  const corrected = part === "report" ? await correctedOf(db, results) : [];
  const contents = results.map(({ content }, i) => `${content}${corrected[i]?.state ?? ""}`);
  return {
    key: keyOf([COMBINED_VERSION, part, title, design, samples, contents, space ?? ""]),
    ...{ kind: part, space },
    lane: "combine",
    samples: results.map(({ content, projectId, files }) => ({
      content: `${part} ${content}`,
      files: () => files(() => combinedFiles(outputs, projectId, part)),
    })),
    async order(folders, folder) {
      const placed = [];
      for (const [i, sample] of samples.entries()) {
        const annotations = await corrected[i]?.items();
        placed.push({ ...sample, folder: folders[i], annotations });
      }
      const table = space === undefined ? null : spaceTable(folder);
      return {
        lane: "combine",
        order: { samples: placed, part, title, design, folder, space: table },
      };
    },
  };
}

/** Where the thread finds the cells of a combined file in one space. */
export function spaceTable(folder: string): string {
  return join(folder, SPACE_CELLS);
}

function keyOf(question: readonly unknown[]): string {
  return hash("sha256", JSON.stringify(question), "base64url");
}

function sampleOf({ sample: { name, condition, patient, batch }, content }: SampleResults) {
  return { name, content, condition, patient, batch };
}
