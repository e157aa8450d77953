import type { CellMeasure } from "@stipple/contract/viewer-manifest";
import { measureName } from "../regions/measures/measure-name.ts";
import { PlaceOptions } from "../regions/measures/place-options.tsx";
import type { AnyMeasure } from "../state/measures.ts";
import { useViewer, useViewerState } from "../state/viewer-context.tsx";
import { viewerTexts } from "../texts.ts";
import { Options } from "../../../components/field.tsx";

/** Options of a select: measures of cells, proteins that were counted with antibodies, and distances. */
export function MeasureOptions({
  ofCells,
  chosen,
}: {
  ofCells: readonly CellMeasure[];
  chosen: AnyMeasure;
}) {
  const { proteins = [] } = useViewer().manifest;
  const types = useViewerState((state) => state.edits.type);
  return (
    <>
      <Options of={ofCells.map((name) => [name, viewerTexts.measures[name]])} />
      {proteins.length > 0 && (
        <optgroup label={viewerTexts.proteins}>
          <Options of={proteins.map(({ name }) => [`protein:${name}`, name])} />
        </optgroup>
      )}
      <PlaceOptions />
      {/* Shown only if it is none of those above. */}
      <option hidden value={chosen}>
        {viewerTexts.measureGone(measureName(chosen, types))}
      </option>
    </>
  );
}
