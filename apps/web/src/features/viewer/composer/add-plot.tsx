import { plotStoreOf } from "../plots/plot-settings.ts";
import { useViewer } from "../state/viewer-context.tsx";
import { AddButtons } from "./add-buttons.tsx";
import { composerTexts as texts } from "./texts.ts";

/** Adds a plot to the open figure for a paper. */
export function AddPlot({ title, part }: { title: string; part: number }) {
  const { store } = useViewer();
  return (
    <AddButtons
      label={texts.add}
      replaceLabel={texts.replace}
      name={texts.plot(title)}
      title={() => title}
      drawing={() => {
        const settings = { ...plotStoreOf(store).getState(), asTable: false };
        return { kind: "plot", settings, part };
      }}
    />
  );
}
