import type { SpaceSample } from "./space-sample.ts";

/** What correction moves onto each other. */
export type Over = "batch" | "sample";

/** The kept rows of all samples, sample after sample, by what is known of them beforehand. */
export interface JointPoints {
  over: Over;
  sampleOf: Int32Array;
  /** The sample or batch that is corrected over. */
  groupOf: Int32Array;
  conditions: string[];
  types: { names: string[]; of: Int32Array } | null;
  /** Points that stand for all in fits, ascending. */
  landmarks: Uint32Array<ArrayBuffer>;
}

/** `landmarks` holds rows of each sample. */
export function jointPoints(
  samples: readonly SpaceSample[],
  landmarks: readonly Uint32Array[],
  asked: Over | undefined,
): JointPoints {
  const batches = [...new Set(samples.map(({ batch }) => batch))];
  const over = asked ?? (batches.length > 1 && !batches.includes("") ? "batch" : "sample");
  const nPoints = samples.reduce((sum, { kept }) => sum + kept.length, 0);
  const [sampleOf, groupOf] = [new Int32Array(nPoints), new Int32Array(nPoints)];
  const chosen: number[] = [];
  let start = 0;
  samples.forEach(({ kept, batch }, s) => {
    sampleOf.fill(s, start, start + kept.length);
    groupOf.fill(over === "batch" ? batches.indexOf(batch) : s, start, start + kept.length);
    const wanted = new Set(landmarks[s]);
    kept.forEach((row, i) => wanted.has(row) && chosen.push(start + i));
    start += kept.length;
  });
  const conditions = samples.map(({ condition }) => condition);
  const types = jointTypes(samples, nPoints);
  return { over, sampleOf, groupOf, conditions, types, landmarks: Uint32Array.from(chosen) };
}

/** Types of the same name are one type. */
function jointTypes(samples: readonly SpaceSample[], nPoints: number): JointPoints["types"] {
  if (samples.some(({ types }) => !types)) return null;
  const names = [...new Set(samples.flatMap(({ types }) => types!.names))].sort();
  const of = new Int32Array(nPoints);
  let point = 0;
  for (const { types, kept } of samples) {
    const codes = types!.names.map((name) => names.indexOf(name));
    for (const row of kept) of[point++] = codes[types!.of[row]] ?? -1;
  }
  return { names, of };
}
