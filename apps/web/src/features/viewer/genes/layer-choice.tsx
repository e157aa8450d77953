import { Segmented } from "../../../components/segmented.tsx";
import { viewerTexts } from "../texts.ts";
import type { GeneLayer } from "../../../project/view/view-server.ts";

/** Inferred or observed expression. */
export function LayerChoice({
  value,
  onChange,
}: {
  value: GeneLayer;
  onChange: (layer: GeneLayer) => void;
}) {
  return (
    <Segmented
      label={viewerTexts.layer}
      names={viewerTexts.layers}
      value={value}
      onChange={onChange}
    />
  );
}
