import { joinClasses } from "../../../components/join-classes.ts";
import { FIRST_COLUMN } from "./sort-heading.tsx";

/** Background of a table row, highlighted for the gene that colors the cells. */
export function rowGround(isColoring: boolean): string {
  return isColoring ? "bg-primary-tint" : "group-hover:bg-raised";
}

/** The row's gene name; clicking it colors the cells. */
export function GeneHeading({
  gene,
  isColoring,
  title,
  onGene,
}: {
  gene: string;
  isColoring: boolean;
  title: string;
  onGene: () => void;
}) {
  return (
    <th
      scope="row"
      className={joinClasses(
        FIRST_COLUMN,
        "p-0 font-medium",
        // Opaque: other table cells scroll under it.
        isColoring ? "bg-primary-tint" : "bg-card group-hover:bg-raised",
      )}
    >
      <button
        type="button"
        aria-pressed={isColoring}
        title={title}
        onClick={onGene}
        className="block h-8 w-full truncate px-2 text-left text-primary outline-offset-[-2px] hover:underline"
      >
        {gene}
      </button>
    </th>
  );
}
