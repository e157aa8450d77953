import { ImagePlus } from "lucide-react";
import { Button } from "../../../components/button.tsx";
import { useToast } from "../../../components/toast-store.ts";
import { useAnnotations } from "../annotations/use-annotations.ts";
import { plotStoreOf } from "../plots/plot-settings.ts";
import { useViewer } from "../state/viewer-context.tsx";
import { addPanel } from "./add-panel.ts";
import { composerTexts as texts } from "./texts.ts";

/** Adds a plot to the open figure for a paper; nothing for those who may not change the project. */
export function AddPlot({ title, part }: { title: string; part: number }) {
  const page = useViewer();
  const mayEdit = useAnnotations((state) => state.mayEdit);
  const toast = useToast();
  if (!mayEdit) return null;
  const add = async (): Promise<void> => {
    const settings = { ...plotStoreOf(page.store).getState(), asTable: false };
    toast(await addPanel(page, { kind: "plot", settings, part }, title));
  };
  return (
    <Button
      size="sm"
      aria-label={texts.addPlot(title)}
      icon={<ImagePlus aria-hidden className="size-3.5" />}
      onClick={() => void add()}
    >
      {texts.add}
    </Button>
  );
}
