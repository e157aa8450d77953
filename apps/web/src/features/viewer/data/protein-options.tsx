import { viewerTexts } from "../texts.ts";
import { useViewer } from "../state/viewer-context.tsx";

/** Options of a select of measures: the proteins that were counted with antibodies, if any. */
export function ProteinOptions() {
  const { proteins = [] } = useViewer().manifest;
  if (proteins.length === 0) return null;
  return (
    <optgroup label={viewerTexts.proteins}>
      {proteins.map(({ name }) => (
        <option key={name} value={`protein:${name}`}>
          {name}
        </option>
      ))}
    </optgroup>
  );
}
