import type { StudyComparison } from "@stipple/contract/routes/studies";

type Unit = StudyComparison["composition"][number]["units"][number];

const [WIDTH, HEIGHT, MARGIN] = [140, 32, 5];

/**
 * A dot for each unit; above the baseline, below the other condition, with a line between the two of a patient. From `from`,
 * or the least value, to the largest.
 */
export function UnitsPlot({
  units,
  from,
  label,
}: {
  units: readonly Unit[];
  from?: number;
  label: string;
}) {
  const low = Math.min(...units.map(({ value }) => value), from ?? Infinity);
  const span = Math.max(...units.map(({ value }) => value)) - low || 1;
  const x = ({ value }: Unit): number => MARGIN + ((value - low) / span) * (WIDTH - 2 * MARGIN);
  const y = (group: number): number => (group === 0 ? HEIGHT / 4 : (3 * HEIGHT) / 4);
  return (
    <svg width={WIDTH} height={HEIGHT} role="img" aria-label={label} className="max-md:inline">
      {[0, 1].map((group) => (
        <line
          key={group}
          x1={MARGIN}
          x2={WIDTH - MARGIN}
          y1={y(group)}
          y2={y(group)}
          className="stroke-line"
        />
      ))}
      {pairsOf(units).map(([one, other]) => (
        <line
          key={one.patient}
          x1={x(one)}
          x2={x(other)}
          y1={y(0)}
          y2={y(1)}
          className="stroke-ink-3"
        />
      ))}
      {units.map((unit, i) => (
        <circle
          key={i}
          cx={x(unit)}
          cy={y(unit.group)}
          r={4}
          className={unit.group === 0 ? "fill-ink-3" : "fill-primary"}
          opacity={0.75}
        />
      ))}
    </svg>
  );
}

/** Units of patients with both conditions. */
function pairsOf(units: readonly Unit[]): [Unit, Unit][] {
  return units.flatMap((one) => {
    const other = units.find(({ patient, group }) => patient === one.patient && group === 1);
    return one.group === 0 && other ? [[one, other] as [Unit, Unit]] : [];
  });
}
