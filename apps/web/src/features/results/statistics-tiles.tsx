import type { Statistics } from "@stipple/contract/routes/results";
import { Tile } from "../../components/tile.tsx";

const NAMES = ["Total Spots", "Total Cells", "Total Genes", "Average Cells per Spot"] as const;

/** The text of one figure: whole numbers with separators, the average to two decimals, null when there is none. */
export function figureText(name: (typeof NAMES)[number], value: number | undefined): string | null {
  if (value === undefined || !Number.isFinite(value)) return null;
  return name === "Average Cells per Spot" ? value.toFixed(2) : value.toLocaleString("en-US");
}

/** The four figures of a project; dashes while there are none. */
export function StatisticsTiles({
  statistics,
  loading,
}: {
  statistics: Statistics | undefined;
  loading: boolean;
}) {
  return (
    <div className="grid grid-cols-2 gap-4 lg:grid-cols-4">
      {NAMES.map((name) => (
        <Tile
          key={name}
          label={name}
          value={figureText(name, statistics?.[name])}
          loading={loading}
        />
      ))}
    </div>
  );
}
