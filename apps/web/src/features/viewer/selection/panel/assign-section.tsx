import { useId, useState } from "react";
import { distinctColor, type CellSet } from "@stipple/viewer/cells";
import { Button } from "../../../../components/button.tsx";
import { Input } from "../../../../components/field.tsx";
import { toast } from "../../../../components/toast-store.ts";
import { annotationTexts } from "../../annotations/texts.ts";
import { useAnnotations } from "../../annotations/use-annotations.ts";
import { isMerged } from "../../state/annotated-groups.ts";
import { shownGroups } from "../../state/shown-groups.ts";
import { useViewer, useViewerState } from "../../state/viewer-context.tsx";
import { MAX_NAME_LETTERS } from "../groups-json.ts";
import { PanelSection } from "./section.tsx";
import { newId } from "../../annotations/new-id.ts";

const texts = annotationTexts.assign;

/** Gives the selected cells another type, or a new one. Only for those who may change annotations. */
export function AssignSection({ selection }: { selection: CellSet }) {
  const { manifest, store } = useViewer();
  const id = useId();
  const mayAssign = useAnnotations(({ mayEdit, cells }) => mayEdit && cells !== null);
  const edits = useViewerState((state) => state.edits.type);
  const [name, setName] = useState("");
  if (!mayAssign) return null;
  const types = shownGroups(manifest, "type", edits);
  const type = name.trim();
  return (
    <PanelSection title={texts.title}>
      <form
        className="flex items-center gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          if (type === "") return;
          const color =
            types.find((one) => one.name === type)?.color ??
            distinctColor(types.map((one) => one.color));
          const assigned = { id: newId(), type, color, cells: selection };
          store.setState((state) => ({ assigned: [...state.assigned, assigned] }));
          toast(texts.done(type, selection.count), { ok: true });
          setName("");
        }}
      >
        <Input
          aria-label={texts.label}
          aria-describedby={`${id}-hint`}
          list={`${id}-types`}
          value={name}
          maxLength={MAX_NAME_LETTERS}
          onChange={(event) => setName(event.target.value)}
          className="h-9! min-w-0 flex-1"
        />
        <datalist id={`${id}-types`}>
          {types.map((one, index) =>
            isMerged(one, types) ? null : <option key={index} value={one.name} />,
          )}
        </datalist>
        <Button type="submit" size="sm" className="h-9!" disabled={type === ""}>
          {texts.assign}
        </Button>
      </form>
      <p id={`${id}-hint`} className="text-[0.8125rem] text-ink-3">
        {texts.hint}
      </p>
    </PanelSection>
  );
}
