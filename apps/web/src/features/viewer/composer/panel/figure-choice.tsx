import { Copy, Plus, Trash2 } from "lucide-react";
import { IconButton } from "../../../../components/icon-button.tsx";
import { LabeledSelect } from "../../plots/controls/labeled.tsx";
import { useViewer } from "../../state/viewer-context.tsx";
import { addFigure } from "../add-panel.ts";
import { composerTexts as texts } from "../texts.ts";
import { useFigures } from "../use-figures.ts";

/** The project's figures: one is open; a new one, a copy, and what deletes it. */
export function FigureChoice() {
  const page = useViewer();
  const { figures, open, change, mayEdit } = useFigures();
  return (
    <div className="flex items-end gap-1">
      <div className="min-w-0 flex-1">
        <LabeledSelect
          label={texts.figure}
          value={open?.id ?? ""}
          onChange={(paperFigure) => page.store.setState({ paperFigure })}
        >
          {!open && <option value="">{texts.none}</option>}
          {figures.map(({ id, value }) => (
            <option key={id} value={id}>
              {value.name}
            </option>
          ))}
        </LabeledSelect>
      </div>
      {mayEdit && (
        <>
          <IconButton icon={Plus} label={texts.newFigure} onClick={() => addFigure(page)} />
          {open && (
            <>
              <IconButton
                icon={Copy}
                label={texts.copy}
                onClick={() => {
                  const name = texts.copied(open.value.name.slice(0, 70));
                  addFigure(page, { ...open.value, name });
                }}
              />
              <IconButton
                icon={Trash2}
                label={texts.remove(open.value.name)}
                onClick={() => change(null)}
              />
            </>
          )}
        </>
      )}
    </div>
  );
}
