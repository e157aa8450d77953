import { ArrowDown, ArrowUp } from "lucide-react";
import { joinClasses } from "../../../components/join-classes.ts";

/** Keeps the name column visible while the others scroll. */
export const FIRST_COLUMN = "sticky left-0 z-[1] max-w-28 text-left";

/** A heading that sorts by its column, or reverses the order if already sorted by it. */
export function SortHeading<Column extends string>({
  column,
  order,
  startsDescending,
  alignment,
  texts,
  onOrder,
}: {
  column: Column;
  order: { by: Column; descending: boolean } | null;
  /** Sort direction of the first press. */
  startsDescending: boolean;
  alignment: string;
  texts: {
    columns: Readonly<Record<Column, string>>;
    explanations: Readonly<Record<Column, string>>;
    sortBy: (column: string) => string;
  };
  onOrder: (order: { by: Column; descending: boolean }) => void;
}) {
  const sorted = order?.by === column;
  const Arrow = order?.descending ? ArrowDown : ArrowUp;
  return (
    <th
      scope="col"
      aria-sort={sorted ? (order.descending ? "descending" : "ascending") : "none"}
      className={joinClasses(
        "border-b border-line bg-raised p-0 font-medium whitespace-nowrap text-ink-2",
        alignment,
      )}
    >
      <button
        type="button"
        title={`${texts.sortBy(texts.columns[column])}. ${texts.explanations[column]}`}
        onClick={() =>
          onOrder({ by: column, descending: sorted ? !order.descending : startsDescending })
        }
        className="inline-flex h-8 min-w-8 items-center justify-center gap-0.5 px-2 text-xs outline-offset-[-2px] hover:text-ink"
      >
        {texts.columns[column]}
        {sorted && <Arrow aria-hidden className="size-3" />}
      </button>
    </th>
  );
}
