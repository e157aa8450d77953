import type { Annotation } from "@stipple/contract";
import type { Column } from "../../../exports/report/elements.ts";

/** Who said something last, and when. */
export type Signed = Pick<Annotation, "author" | "at">;

/** The columns that say so. */
export const SIGNED: readonly Column<Signed>[] = [
  { title: "By", cell: ({ author }) => author ?? "unknown" },
  { title: "When (UTC)", cell: ({ at }) => at.slice(0, 16).replace("T", " ") },
];
