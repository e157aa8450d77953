import { Segmented } from "../../../../components/segmented.tsx";
import { viewerTexts } from "../../../../texts/viewer.ts";
import { usePlotSettings } from "../plot-settings.ts";

/** Inferred or observed expression, and what that means. */
export function LayerControls() {
  const [{ layer }, set] = usePlotSettings();
  return (
    <Segmented
      label={viewerTexts.layer}
      choices={(["rate", "counts"] as const).map((value) => ({
        value,
        label: viewerTexts.layers[value],
      }))}
      value={layer}
      onChange={(next) => set({ layer: next })}
    />
  );
}
