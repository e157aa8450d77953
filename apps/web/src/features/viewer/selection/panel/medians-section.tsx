import { CELL_MEASURES, type CellMeasure } from "@stipple/contract/viewer-manifest";
import { useDeferredValue, useMemo } from "react";
import { selectionTexts } from "../texts.ts";
import { viewerTexts } from "../../texts.ts";
import { valueText, cellsOf, type CellSet } from "@stipple/viewer/cells";
import { useMeasure } from "../../data/use-values.ts";
import { useViewer } from "../../state/viewer-context.tsx";
import { countOfNumbers, median } from "./median.ts";
import { PanelSection } from "./section.tsx";

const texts = selectionTexts.measures;

/** Median of every measure within the selection, next to that of all cells. */
export function MediansSection({ selection }: { selection: CellSet }) {
  const { manifest } = useViewer();
  const shown = useDeferredValue(selection);
  const members = useMemo(() => cellsOf(shown), [shown]);
  return (
    <PanelSection title={texts.title}>
      <table className="w-full text-[0.8125rem]">
        <caption className="sr-only">{texts.caption}</caption>
        <thead>
          <tr className="text-xs text-ink-3">
            <th scope="col" className="pb-1 text-left font-medium">
              {texts.measure}
            </th>
            <th scope="col" className="pb-1 pl-2 text-right font-medium">
              {selectionTexts.composition.within}
            </th>
            <th scope="col" className="pb-1 pl-2 text-right font-medium whitespace-nowrap">
              {selectionTexts.composition.overall}
            </th>
          </tr>
        </thead>
        <tbody>
          {CELL_MEASURES.filter((name) => manifest.columns[name]).map((name) => (
            <MeasureRow key={name} measure={name} members={members} />
          ))}
        </tbody>
      </table>
    </PanelSection>
  );
}

function MeasureRow({ measure, members }: { measure: CellMeasure; members: Uint32Array }) {
  const { data: values, isError } = useMeasure(measure);
  const within = useMemo(() => values && median(values, members), [values, members]);
  const known = useMemo(
    () => (values ? countOfNumbers(values, members) : members.length),
    [values, members],
  );
  const overall = useMemo(() => values && median(values), [values]);
  const shown = (value: number | null | undefined): string =>
    value === undefined
      ? isError
        ? texts.failed
        : "…"
      : value === null
        ? texts.none
        : valueText(value);
  return (
    <tr>
      <th scope="row" className="py-1 text-left font-normal">
        {viewerTexts.measures[measure]}
        {known < members.length && (
          <span className="block text-xs text-ink-3">{texts.known(known, members.length)}</span>
        )}
      </th>
      <td className="py-1 pl-2 text-right tabular-nums">{shown(within)}</td>
      <td className="py-1 pl-2 text-right text-ink-3 tabular-nums">
        {isError ? "" : shown(overall)}
      </td>
    </tr>
  );
}
