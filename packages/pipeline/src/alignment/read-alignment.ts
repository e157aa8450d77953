import { landmark, type Landmark } from "@stipple/contract/routes/registration";
import { basename } from "node:path";
import { LARGEST_ALIGNMENT } from "@stipple/formats/limits";
import { fitAffine, residual, type Affine } from "@stipple/contract/affine";
import * as z from "zod";
import { InputError } from "../errors.ts";
import type { SpotMove } from "../facts.ts";
import type { Positions } from "../readers/sample.ts";
import { readText } from "../readers/counts/read-text.ts";

const WANTED = {
  kinds: ["json", "text"],
  what: "an alignment",
  remedy: "use the JSON file that Loupe Browser saved",
} as const;

const landmarks = z.object({ landmarks: z.array(landmark) });
const row = z.tuple([z.number(), z.number(), z.number()]);
const matrix = z.object({ matrix: z.union([z.tuple([row, row]), z.tuple([row, row, row])]) });
/** Row by row, in one list or in three. */
const projection = z
  .array(z.union([z.number(), row]))
  .transform((rows) => rows.flat())
  .refine(({ length }) => length === 9);
/** The CytAssist image, and where the microscope image's pixels lie on it. */
const cytAssist = z.object({ cytAssistInfo: z.object({ transformImages: projection }) });
/** What Loupe Browser saves after an alignment by hand, as far as it is needed here. */
const loupe = z.object({
  ...cytAssist.partial().shape,
  oligo: z.array(
    z.object({
      row: z.number(),
      col: z.number(),
      imageX: z.number().optional(),
      imageY: z.number().optional(),
    }),
  ),
});

const MIN_LANDMARKS = 3;
/** Spots of the file's array deviate from an affine map of ours by less than this share of the distance between spots. */
const MAX_DEVIATION = 0.25;

/**
 * Reads where spots belong: pairs of positions (`landmarks`, each `from` a spot position `to` its place on the image), a
 * `matrix` of two or three rows, or the file that Loupe Browser saves. Throws {@link InputError}.
 * @param pitchPx distance between neighboring spots
 */
export async function readAlignment(
  path: string,
  positions: Positions,
  pitchPx: number,
): Promise<SpotMove> {
  const alignment = await openAlignment(path);
  return alignment(positions, pitchPx);
}

/** Checks everything about an alignment that does not depend on its sample. Throws {@link InputError}. */
export async function checkAlignment(path: string): Promise<void> {
  await openAlignment(path);
}

/** The landmarks of an alignment, or null if it has none. Throws {@link InputError} for a file that is no alignment. */
export async function readLandmarks(path: string): Promise<Landmark[] | null> {
  await openAlignment(path);
  const text = await readText(path, WANTED, LARGEST_ALIGNMENT);
  return landmarks.safeParse(JSON.parse(text)).data?.landmarks ?? null;
}

/** Reads an alignment; what it returns finds the move for a sample's spots. */
async function openAlignment(
  path: string,
): Promise<(positions: Positions, pitchPx: number) => SpotMove> {
  const file = basename(path);
  const fail = (what: string, cause?: unknown): never => {
    throw new InputError(`${file} ${what}`, { cause });
  };
  let document: unknown;
  try {
    document = JSON.parse(await readText(path, WANTED, LARGEST_ALIGNMENT));
  } catch (cause) {
    if (cause instanceof InputError) throw cause;
    return fail("is not valid JSON: use the alignment file that Loupe Browser saved.", cause);
  }
  const pairs = landmarks.safeParse(document);
  if (pairs.success) {
    const move = fromLandmarks(file, pairs.data.landmarks, fail);
    return () => move;
  }
  const given = matrix.safeParse(document);
  if (given.success) {
    const move = fromMatrix(file, given.data.matrix, fail);
    return () => move;
  }
  const saved = loupe.safeParse(document);
  if (!saved.success) {
    if (cytAssist.safeParse(document).success) {
      fail(
        "lists no spots, as on HD slides: run Space Ranger with it (--loupe-alignment) and use the new positions, or align by landmarks.",
      );
    }
    return fail(
      'is not an alignment: it needs "landmarks" (pairs of "from" and "to"), a "matrix", or the spots of an alignment saved by Loupe Browser.',
    );
  }
  const { oligo, cytAssistInfo } = saved.data;
  const toMicroscope = cytAssistInfo
    ? inverseProjection(cytAssistInfo.transformImages)
    : (x: number, y: number): [number, number] => [x, y];
  const placeOf = new Map(
    oligo.flatMap(({ row, col, imageX, imageY }) =>
      imageX === undefined || imageY === undefined
        ? []
        : [[`${row} ${col}`, toMicroscope(imageX, imageY)]],
    ),
  );
  return (positions, pitchPx) => fromLoupe(file, placeOf, positions, pitchPx, fail);
}

function fromLandmarks(
  file: string,
  pairs: z.infer<typeof landmarks>["landmarks"],
  fail: Fail,
): SpotMove {
  const n = pairs.length;
  if (n < MIN_LANDMARKS) {
    fail(
      `has ${n === 1 ? "one landmark" : `${n} landmarks`}, but an alignment needs at least ${MIN_LANDMARKS}: add more, far apart and not on a line.`,
    );
  }
  return fitted(
    { file, source: "landmarks" },
    pairs.flatMap(({ from }) => from),
    pairs.flatMap(({ to }) => to),
    fail,
  );
}

function fromMatrix(
  file: string,
  [top, middle, bottom]: z.infer<typeof matrix>["matrix"],
  fail: Fail,
): SpotMove {
  if (bottom && (bottom[0] !== 0 || bottom[1] !== 0 || bottom[2] !== 1)) {
    fail("has a matrix whose last row is not 0, 0, 1: only affine maps can be applied.");
  }
  const map: Affine = [...top, ...middle];
  if (!(Math.abs(map[0] * map[4] - map[1] * map[3]) > 1e-6)) {
    fail("has a matrix that puts all spots on a line: check its numbers.");
  }
  return { file, source: "matrix", map, fit: null };
}

type Fail = (what: string) => never;

function fitted(
  about: Pick<SpotMove, "file" | "source">,
  from: readonly number[],
  to: readonly number[],
  fail: Fail,
): SpotMove {
  const map = fitAffine(from, to);
  if (!map) {
    return fail(
      about.source === "landmarks"
        ? "has landmarks that lie on a line: add one that does not."
        : "places this sample's spots on a line: align them again in Loupe Browser.",
    );
  }
  return { ...about, map, fit: { points: from.length / 2, residualPx: residual(map, from, to) } };
}

function fromLoupe(
  file: string,
  placeOf: ReadonlyMap<string, [number, number]>,
  { arrayRow, arrayCol, x, y }: Positions,
  pitchPx: number,
  fail: Fail,
): SpotMove {
  const [from, to]: [number[], number[]] = [[], []];
  for (let spot = 0; spot < x.length; spot++) {
    const place = placeOf.get(`${arrayRow[spot]} ${arrayCol[spot]}`);
    if (!place) continue;
    from.push(x[spot], y[spot]);
    to.push(...place);
  }
  if (from.length < 2 * MIN_LANDMARKS) {
    return fail(
      "places none of this sample's spots on the image: use the alignment that Loupe Browser saved for this slide and capture area.",
    );
  }
  const alignment = fitted({ file, source: "Loupe Browser" }, from, to, fail);
  const { residualPx } = alignment.fit!;
  if (residualPx > MAX_DEVIATION * pitchPx) {
    fail(
      `places spots ${Math.round(residualPx).toLocaleString("en-US")} pixels away from where this sample's array would have them: it is the alignment of another slide or capture area.`,
    );
  }
  return alignment;
}

/** Where a point came from, by the adjugate: its scale cancels out. */
function inverseProjection([a, b, c, d, e, f, g, h, i]: readonly number[]) {
  return (x: number, y: number): [number, number] => {
    const w = (d * h - e * g) * x + (b * g - a * h) * y + (a * e - b * d);
    return [
      ((e * i - f * h) * x + (c * h - b * i) * y + (b * f - c * e)) / w,
      ((f * g - d * i) * x + (a * i - c * g) * y + (c * d - a * f)) / w,
    ];
  };
}
