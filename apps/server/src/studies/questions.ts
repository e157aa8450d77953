import { createHash } from "node:crypto";
import { join } from "node:path";
import type { Study, StudyDownload } from "@stipple/contract";
import { spaceFields, SUMMED_FIELDS, type SpaceKind } from "@stipple/pipeline/study";
import type { Outputs, StoredFile } from "../outputs/read.ts";
import type { FindingKind, Findings } from "./findings.ts";
import { SPACE_CELLS, type Order } from "./messages.ts";
import { combinedFiles, filesOfFields, resultsOf, type SampleResults } from "./sample-results.ts";

/** What a comparison of a study asks for. */
export interface AskedComparison {
  groups: [string, string] | null;
  usesPatients: boolean;
  usesBatches: boolean;
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
  order(folders: readonly string[], folder: string): Order;
}

/** Raised when a comparison finds something else, or says it in another form. */
const FINDING_VERSION = 2;
/** The same of joint spaces, and of combined files. */
const [SPACE_VERSION, COMBINED_VERSION] = [1, 2];

export async function questionOf(
  parts: { outputs: Outputs; kept: Pick<Findings, "read"> },
  study: Study,
  asked: Asked,
): Promise<Question | { refusal: string }> {
  if ("part" in asked) {
    const space = asked.part === "report" ? undefined : await keptSpace(parts, study);
    return combineQuestion(parts.outputs, study, asked.part, space);
  }
  const { outputs } = parts;
  const fields = "of" in asked ? spaceFields(asked) : SUMMED_FIELDS;
  const results = await resultsOf(outputs, study, fields);
  if ("refusal" in results) return results;
  const samples = results.map((one) => sampleOf(one, asked));
  const question = "of" in asked ? [SPACE_VERSION, asked.of, asked.on] : [asked.groups];
  return {
    key: keyOf([FINDING_VERSION, samples, ...question]),
    kind: "answer",
    lane: "of" in asked ? "space" : "compare",
    samples: results.map(({ content, projectId }) => ({
      content,
      files: () => filesOfFields(outputs, projectId, fields),
    })),
    order(folders, folder) {
      const placed = samples.map((sample, i) => ({ ...sample, folder: folders[i] }));
      return "of" in asked
        ? { lane: "space", order: { samples: placed, kind: asked, folder } }
        : { lane: "compare", order: { samples: placed, groups: asked.groups } };
    },
  };
}

/** Key of the joint space of cells that was found, by counts rather than by rates. */
async function keptSpace(
  parts: { outputs: Outputs; kept: Pick<Findings, "read"> },
  study: Study,
): Promise<string | undefined> {
  for (const on of ["counts", "rate"] as const) {
    const question = await questionOf(parts, study, { of: "cells", on });
    if ("refusal" in question) return undefined;
    const found = await parts.kept.read(study.id, question.key);
    if (found && "space" in found) return question.key;
  }
  return undefined;
}

async function combineQuestion(
  outputs: Outputs,
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
  const contents = results.map(({ content }) => content);
  return {
    key: keyOf([COMBINED_VERSION, part, title, design, samples, contents, space ?? ""]),
    ...{ kind: part, space },
    lane: "combine",
    samples: results.map(({ content, projectId }) => ({
      content: `${part} ${content}`,
      files: () => combinedFiles(outputs, projectId, part),
    })),
    order: (folders, folder) => ({
      lane: "combine",
      order: {
        samples: samples.map((sample, i) => ({ ...sample, folder: folders[i] })),
        ...{ part, title, design, folder },
        space: space === undefined ? null : spaceTable(folder),
      },
    }),
  };
}

/** Where the thread finds the cells of a combined file in one space. */
export function spaceTable(folder: string): string {
  return join(folder, SPACE_CELLS);
}

function keyOf(question: readonly unknown[]): string {
  return createHash("sha256").update(JSON.stringify(question)).digest("base64url");
}

function sampleOf({ sample, content }: SampleResults, asked: AskedComparison | SpaceKind) {
  const isSpace = "of" in asked;
  return {
    ...{ name: sample.name, content, condition: sample.condition },
    patient: !isSpace && asked.usesPatients ? sample.patient : "",
    batch: isSpace || asked.usesBatches ? sample.batch : "",
  };
}
