import { Overlay } from "../components/overlay.tsx";

/** Blocks the page while the interactive view of a project is being prepared. */
export function VisualizationOverlay() {
  return (
    <Overlay
      title="Starting Visualization Server"
      text="Your view will open in a new tab in a moment."
    />
  );
}
