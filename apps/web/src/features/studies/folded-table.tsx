import { Table } from "../../components/table.tsx";
import { useMediaQuery } from "../../components/use-media-query.ts";
import { STUDIES_TEXTS } from "./texts.ts";

/** From here on, a row is a line (Tailwind's md). */
const WIDE = "(width >= 48rem)";

/** A table that is closed at first on narrow screens, where every row is a block: a page with several is very long. */
export function FoldedTable<Row>(props: Parameters<typeof Table<Row>>[0]) {
  const isWide = useMediaQuery(WIDE);
  return (
    <details open={isWide}>
      <summary className="px-4 py-3 font-medium md:hidden">
        {STUDIES_TEXTS.rows(props.rows.length)}
      </summary>
      <Table {...props} />
    </details>
  );
}
