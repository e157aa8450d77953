import { ImagePlus, Replace } from "lucide-react";
import { Button } from "../../../components/button.tsx";
import { toast } from "../../../components/toast-store.ts";
import { useViewer, useViewerState } from "../state/viewer-context.tsx";
import { addPanel } from "./add-panel.ts";
import { lettersOf, type FigurePanel } from "./figures.ts";
import { composerTexts as texts } from "./texts.ts";
import { useFigures } from "./use-figures.ts";
import { plotStoreOf } from "../plots/plot-settings.ts";

/**
 * Adds what is shown to the open figure for a paper, or puts it in the chosen panel's place; nothing for those who may
 * not change the project.
 */
export function AddButtons({
  label,
  replaceLabel,
  name,
  title,
  drawing,
  disabled = false,
}: {
  label: string;
  replaceLabel: (letter: string) => string;
  /** What is added, within a sentence. */
  name: string;
  title: () => string;
  /** Null if it is not drawn yet. */
  drawing: () => FigurePanel["drawing"] | null;
  disabled?: boolean;
}) {
  const page = useViewer();
  const { open, mayEdit } = useFigures();
  const chosen = useViewerState((state) => state.paperPanel);
  if (!mayEdit) return null;
  const letter = chosen !== null && open ? lettersOf(open.value).get(chosen) : undefined;
  const add = async (replaced: string | null): Promise<void> => {
    const made = drawing();
    if (!made) return toast(texts.notYet(name), { failed: true });
    toast(await addPanel(page, made, title(), replaced));
  };
  return (
    <>
      <Button
        size="sm"
        disabled={disabled}
        aria-label={texts.addNamed(name)}
        icon={ImagePlus}
        onClick={() => void add(null)}
      >
        {label}
      </Button>
      {letter !== undefined && (
        <Button
          size="sm"
          disabled={disabled}
          aria-label={texts.replaceWith(letter, name)}
          icon={Replace}
          onClick={() => void add(chosen)}
        >
          {replaceLabel(letter)}
        </Button>
      )}
    </>
  );
}

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
