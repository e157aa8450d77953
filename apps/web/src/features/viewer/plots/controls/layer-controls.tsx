import { LayerChoice } from "../../genes/layer-choice.tsx";
import { usePlotSettings } from "../plot-settings.ts";

/** Inferred or observed expression in plots. */
export function LayerControls() {
  const [{ layer }, set] = usePlotSettings();
  return <LayerChoice value={layer} onChange={(next) => set({ layer: next })} />;
}
