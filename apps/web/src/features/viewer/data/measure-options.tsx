import type { CellMeasure } from "@stipple/contract/viewer-manifest";
import { measureName } from "../regions/measures/measure-name.ts";
import { PlaceOptions } from "../regions/measures/place-options.tsx";
import type { AnyMeasure } from "../state/measures.ts";
import { useViewer } from "../state/viewer-context.tsx";
import { viewerTexts } from "../texts.ts";

/** Options of a select: measures of cells, proteins that were counted with antibodies, and distances. */
export function MeasureOptions({
  ofCells,
  chosen,
}: {
  ofCells: readonly CellMeasure[];
  chosen: AnyMeasure;
}) {
  const { proteins = [] } = useViewer().manifest;
  return (
    <>
      {ofCells.map((name) => (
        <option key={name} value={name}>
          {viewerTexts.measures[name]}
        </option>
      ))}
      {proteins.length > 0 && (
        <optgroup label={viewerTexts.proteins}>
          {proteins.map(({ name }) => (
            <option key={name} value={`protein:${name}`}>
              {name}
            </option>
          ))}
        </optgroup>
      )}
      <PlaceOptions />
      {/* Shown only if it is none of those above. */}
      <option hidden value={chosen}>
        {viewerTexts.measureGone(measureName(chosen))}
      </option>
    </>
  );
}
