import { useId, useState } from "react";
import { Button } from "../../../../components/button.tsx";
import { TextArea } from "../../../../components/field.tsx";
import { PanelSection } from "../../selection/panel/section.tsx";
import { useViewer } from "../../state/viewer-context.tsx";
import { setPlace, type ViewerState } from "../../state/viewer-store.ts";
import { annotationsOf, changeAnnotations } from "../annotation-store.ts";
import { newId } from "../new-id.ts";
import { annotationTexts } from "../texts.ts";
import { useAnnotations } from "../use-annotations.ts";
import { ItemRow } from "./item-row.tsx";
import type { ViewerManifest } from "@stipple/contract/viewer-manifest";
import { cellsOf } from "@stipple/viewer/cells";
import type { Cells } from "@stipple/viewer/source";

const texts = annotationTexts.notes;
/** Closer than this, a click on a note only moves the view. */
const NOTE_ZOOM = -1;

/** Remarks at places of the tissue. */
export function NotesSection() {
  const { annotations, manifest, store } = useViewer();
  const mayEdit = useAnnotations((state) => state.mayEdit);
  const items = useAnnotations((state) => state.items);
  const notes = annotationsOf(items, "note");
  const show = ({ x, y }: { x: number; y: number }): void => {
    const { arrangement, places } = store.getState();
    const { scale } = manifest.tissue;
    const zoom = Math.max(places.tissue?.zoom ?? NOTE_ZOOM, NOTE_ZOOM);
    if (arrangement === "umap") store.setState({ arrangement: "tissue" });
    setPlace(store, "tissue", { x: x / scale, y: y / scale, zoom });
  };
  return (
    <PanelSection title={texts.title}>
      {notes.length === 0 && <p className="text-[0.8125rem] text-ink-3">{texts.empty}</p>}
      <ul className="-mx-2">
        {notes.map(({ id, value }) => (
          <ItemRow
            key={id}
            text={value.text}
            title={texts.show}
            onShow={() => show(value)}
            remove={
              mayEdit && {
                label: texts.remove(value.text),
                act: () => changeAnnotations(annotations, [{ id, kind: "note", value: null }]),
              }
            }
          />
        ))}
      </ul>
      {mayEdit && <NewNote />}
    </PanelSection>
  );
}

function NewNote() {
  const { annotations, manifest, cells, store } = useViewer();
  const id = useId();
  const [text, setText] = useState("");
  return (
    <form
      className="flex flex-col gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() === "") return;
        const value = { text: text.trim(), ...placeOfNote(store.getState(), manifest, cells) };
        changeAnnotations(annotations, [{ id: newId(), kind: "note", value }]);
        setText("");
      }}
    >
      <TextArea
        aria-label={texts.label}
        aria-describedby={`${id}-hint`}
        value={text}
        maxLength={2000}
        rows={2}
        onChange={(event) => setText(event.target.value)}
        className="min-h-16!"
      />
      <p id={`${id}-hint`} className="text-[0.8125rem] text-ink-3">
        {texts.hint}
      </p>
      <Button type="submit" size="sm" className="self-start" disabled={text.trim() === ""}>
        {texts.add}
      </Button>
    </form>
  );
}

/** Where a new note goes, full-resolution px: amid the selected cells, else in the middle of the view, else of the image. */
function placeOfNote(
  { selection, places }: Pick<ViewerState, "selection" | "places">,
  { tissue, widthPx, heightPx }: Pick<ViewerManifest, "tissue" | "widthPx" | "heightPx">,
  { xy }: Pick<Cells, "xy">,
): { x: number; y: number } {
  const { scale } = tissue;
  if (selection) {
    let [x, y] = [0, 0];
    for (const cell of cellsOf(selection)) {
      x += xy[2 * cell]!;
      y += xy[2 * cell + 1]!;
    }
    return { x: (scale * x) / selection.count, y: (scale * y) / selection.count };
  }
  const place = places.tissue;
  return place ? { x: place.x * scale, y: place.y * scale } : { x: widthPx / 2, y: heightPx / 2 };
}
