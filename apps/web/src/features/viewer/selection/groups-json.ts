import * as z from "zod/mini";
import type { NamedGroup } from "../state/viewer-store.ts";
import { newId } from "../annotations/new-id.ts";
import { base64OfBytes, bytesOfBase64 } from "./base64.ts";
import { cellSetOfBits, type CellSet } from "@stipple/viewer/cells";

const MAX_GROUPS = 200;
export const MAX_NAME_LETTERS = 80;

const criterion = z.union([
  z.literal(["place", "quality"]),
  z.templateLiteral(["expression ", z.string()]),
]);

const writtenGroups = z.object({
  version: z.literal(1),
  nCells: z.int(),
  groups: z
    .array(
      z.object({
        name: z.string().check(z.trim(), z.minLength(1), z.maxLength(MAX_NAME_LETTERS)),
        color: z.string().check(z.regex(/^#[0-9a-f]{6}$/i)),
        /** Base64 of the cell set's deflated bits. */
        cells: z.string(),
        /** What they were chosen by; missing in older views. */
        chosenBy: z.optional(z.array(criterion)),
      }),
    )
    .check(z.maxLength(MAX_GROUPS)),
});
export type WrittenGroups = z.infer<typeof writtenGroups>;

/**
 * Named groups as JSON for a saved view or session. A group of 700,000 cells takes at most 120 kB, a region drawn on
 * the tissue far less.
 */
export async function groupsToJson(
  groups: readonly Omit<NamedGroup, "id">[],
  nCells: number,
): Promise<WrittenGroups> {
  return {
    version: 1,
    nCells,
    groups: await Promise.all(
      groups.map(async ({ name, color, cells }) => ({
        name,
        color,
        cells: await packedCells(cells),
        ...(cells.chosenBy && { chosenBy: [...cells.chosenBy] }),
      })),
    ),
  };
}

/** A selection, written as a single group by `groupsToJson`. */
export function selectionToJson(cells: CellSet, nCells: number): Promise<WrittenGroups> {
  return groupsToJson([{ name: "Selection", color: "#000000", cells }], nCells);
}

/**
 * Reads groups written by `groupsToJson`. Throws an Error with a displayable message if invalid or for different cells.
 */
export async function groupsFromJson(value: unknown, nCells: number): Promise<NamedGroup[]> {
  const read = writtenGroups.safeParse(value);
  if (!read.success) throw new Error("The saved groups can't be read.");
  if (read.data.nCells !== nCells) {
    throw new Error(
      `The saved groups belong to results with ${read.data.nCells.toLocaleString("en-US")} cells; this view has ${nCells.toLocaleString("en-US")}.`,
    );
  }
  return Promise.all(
    read.data.groups.map(async ({ name, color, cells, chosenBy }) => ({
      id: newId(),
      name,
      color,
      cells: {
        ...(await cellsOfText(cells, nCells).catch((cause: unknown) => {
          throw new Error(`The saved group “${name}” can't be read.`, { cause });
        })),
        ...(chosenBy && { chosenBy }),
      },
    })),
  );
}

/** A set of cells as base64 of its deflated bits. */
export async function packedCells(cells: CellSet): Promise<string> {
  return base64OfBytes(await deflated(cells.bits));
}

/** The set of cells that `packedCells` wrote. Rejects if the text is something else. */
export async function cellsOfText(text: string, nCells: number): Promise<CellSet> {
  return cellSetOfBits(await inflated(bytesOfBase64(text), Math.ceil(nCells / 8)), nCells);
}

/** Deflated bytes. */
export async function deflated(bytes: Uint8Array): Promise<Uint8Array> {
  const stream = new Blob([bytes.slice()]).stream().pipeThrough(new CompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Throws as soon as the output exceeds `most` bytes, before inflating it all. */
export async function inflated(bytes: Uint8Array<ArrayBuffer>, most: number): Promise<Uint8Array> {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  for (const reader = stream.getReader(); ;) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.length;
    if (length > most) {
      await reader.cancel();
      throw new RangeError(`More than ${most} bytes.`);
    }
    parts.push(value);
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}
