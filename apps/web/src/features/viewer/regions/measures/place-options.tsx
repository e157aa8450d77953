import { useViewer, useViewerState } from "../../state/viewer-context.tsx";
import { useRegions } from "../use-regions.ts";
import { viewerTexts } from "../../texts.ts";
import { measureName } from "./measure-name.ts";
import { isFound } from "../../state/shown-groups.ts";

/** Options of a select of measures: the distance from each region and from each type. */
export function PlaceOptions() {
  const { manifest } = useViewer();
  const regions = useRegions();
  const types = useViewerState((state) => state.edits.type);
  return (
    <>
      {regions.length > 0 && (
        <optgroup label={viewerTexts.distances.borders}>
          {regions.map(({ id, value: { name } }) => (
            <option key={id} value={`border:${name}`}>
              {viewerTexts.distances.border(name)}
            </option>
          ))}
        </optgroup>
      )}
      <optgroup label={viewerTexts.distances.types}>
        {manifest.types.filter(isFound).map(({ name }) => (
          <option key={name} value={`near:${name}`}>
            {measureName(`near:${name}`, types)}
          </option>
        ))}
      </optgroup>
    </>
  );
}
