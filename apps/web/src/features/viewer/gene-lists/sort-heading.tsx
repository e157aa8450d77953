import { ArrowDown, ArrowUp } from "lucide-react";
import { joinClasses } from "../../../components/join-classes.ts";

export interface Order<Column> {
  by: Column;
  descending: boolean;
}

/** A heading that sorts by its column, or reverses the order if already sorted by it. */
export function SortHeading<Column extends string>({
  column,
  order,
  ascends = false,
  className,
  texts,
  onOrder,
}: {
  column: Column;
  order: Order<Column> | null;
  /** Whether the first press sorts from the lowest. */
  ascends?: boolean | undefined;
  className: string;
  texts: {
    columns: Readonly<Record<Column, string>>;
    explanations: Readonly<Record<Column, string>>;
    sortBy: (column: string) => string;
  };
  onOrder: (order: Order<Column>) => void;
}) {
  const sorted = order?.by === column;
  const Arrow = order?.descending ? ArrowDown : ArrowUp;
  return (
    <th
      scope="col"
      aria-sort={sorted ? (order.descending ? "descending" : "ascending") : "none"}
      className={joinClasses(
        "border-b border-line bg-raised p-0 font-medium whitespace-nowrap text-ink-2",
        className,
      )}
    >
      <button
        type="button"
        title={`${texts.sortBy(texts.columns[column])}. ${texts.explanations[column]}`}
        onClick={() => onOrder({ by: column, descending: sorted ? !order.descending : !ascends })}
        className="inline-flex h-8 min-w-8 items-center justify-center gap-0.5 px-2 text-xs outline-offset-[-2px] hover:text-ink"
      >
        {texts.columns[column]}
        {sorted && <Arrow aria-hidden className="size-3" />}
      </button>
    </th>
  );
}
