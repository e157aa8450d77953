import type { Annotation } from "@stipple/contract";
import type { Column } from "../../../exports/report/elements.ts";

/** Who said something last, and when. */
export type Signed = Pick<Annotation, "author" | "at">;

/** The columns that say so. */
export const SIGNED: readonly Column<Signed>[] = [
  ["By", ({ author }) => author ?? "unknown"],
  ["When (UTC)", ({ at }) => at.slice(0, 16).replace("T", " ")],
];
