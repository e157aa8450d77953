import { LONGEST_ANNOTATION_NAME } from "@stipple/contract/annotation-limits";
import { useState } from "react";
import { Button } from "../../../../components/button.tsx";
import { TextField } from "../../../../components/field.tsx";
import { useViewer } from "../../state/viewer-context.tsx";
import { changeRegion } from "../change-regions.ts";
import type { RegionValue } from "../region-shape.ts";
import { regionTexts } from "../texts.ts";
import { useRegions } from "../use-regions.ts";

const texts = regionTexts.form;

/** Edits a region's name, class, and color, and whether the next run leaves it out. Escape cancels. */
export function RegionForm({
  id,
  value,
  onDone,
}: {
  id: string;
  value: RegionValue;
  onDone: () => void;
}) {
  const { annotations, store } = useViewer();
  const taken = useRegions().map((region) => region.value.name);
  const [name, setName] = useState(value.name);
  const [kind, setKind] = useState(value.class ?? "");
  const [color, setColor] = useState(value.color);
  const [excluded, setExcluded] = useState(value.excluded);
  const given = name.trim();
  const error =
    given === ""
      ? texts.empty
      : given !== value.name && taken.includes(given)
        ? texts.taken(given)
        : null;

  function save(): void {
    if (error) return;
    changeRegion(annotations, id, { name: given, class: kind.trim() || null, color, excluded });
    // Distances are named by their region.
    if (store.getState().measure === `border:${value.name}`) {
      store.setState({ measure: `border:${given}` });
    }
    onDone();
  }

  return (
    <form
      className="flex flex-col gap-2.5 p-2 text-[0.8125rem]"
      onKeyDown={(event) => {
        if (event.key === "Escape") onDone();
      }}
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <TextField
        label={texts.name}
        error={error}
        autoFocus
        value={name}
        maxLength={LONGEST_ANNOTATION_NAME}
        onText={setName}
        inputClass="h-9!"
      />
      <TextField
        label={texts.kind}
        value={kind}
        maxLength={LONGEST_ANNOTATION_NAME}
        onText={setKind}
        inputClass="h-9!"
      />
      <Looks color={color} onColor={setColor} excluded={excluded} onExcluded={setExcluded} />
      <Button type="submit" size="sm" variant="primary" disabled={error !== null}>
        {texts.done}
      </Button>
    </form>
  );
}

function Looks({
  color,
  onColor,
  excluded,
  onExcluded,
}: {
  color: string;
  onColor: (color: string) => void;
  excluded: boolean;
  onExcluded: (excluded: boolean) => void;
}) {
  return (
    <>
      <label className="flex items-center gap-2 font-medium">
        {texts.color}
        <input
          type="color"
          value={color}
          onChange={(event) => onColor(event.target.value)}
          className="size-8 shrink-0 cursor-pointer rounded border border-line-input bg-card p-0.5"
        />
      </label>
      <label className="flex items-start gap-2">
        <input
          type="checkbox"
          checked={excluded}
          onChange={(event) => onExcluded(event.target.checked)}
          className="mt-0.5"
        />
        <span>
          {texts.excluded}
          <span className="block text-ink-3">{texts.excludedHint}</span>
        </span>
      </label>
    </>
  );
}
