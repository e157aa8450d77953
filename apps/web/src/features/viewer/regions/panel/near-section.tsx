import { useMutation, useQueryClient } from "@tanstack/react-query";
import { cellSet, type Criterion } from "@stipple/viewer/cells";
import { useState } from "react";
import { Button } from "../../../../components/button.tsx";
import { Checkbox } from "../../../../components/checkbox.tsx";
import { TextField } from "../../../../components/field.tsx";
import { toast } from "../../../../components/toast-store.ts";
import { PanelSection } from "../../selection/panel/section.tsx";
import { SmallSelect } from "../../selection/small-select.tsx";
import { selectCells } from "../../selection/selection-actions.ts";
import { isPlaceMeasure, placeOf, type PlaceMeasure } from "../../state/measures.ts";
import { isFound } from "../../state/shown-groups.ts";
import { useViewer, type OpenViewer } from "../../state/viewer-context.tsx";
import { PlaceOptions } from "../measures/place-options.tsx";
import { placeQuery } from "../measures/place-query.ts";
import type { ViewRegion } from "../region-shape.ts";
import { regionTexts } from "../texts.ts";
import { useRegions } from "../use-regions.ts";

const texts = regionTexts.near;

/** Selects the cells within a distance of a region or of a type: "within 50 µm of tumor". */
export function NearSection() {
  const viewer = useViewer();
  const regions = useRegions();
  const queries = useQueryClient();
  const [from, setFrom] = useState<PlaceMeasure | null>(null);
  const [within, setWithin] = useState("50");
  const [outside, setOutside] = useState(false);
  const measure = known(from, viewer, regions);
  const um = within.trim() === "" ? NaN : Number(within);
  const error = um >= 0 && Number.isFinite(um) ? null : texts.invalid;

  const { mutate: select, isPending } = useMutation({
    mutationFn: async (from: PlaceMeasure) => {
      const values = await queries.fetchQuery(placeQuery(viewer, regions, from));
      const cells = cellSet(
        values.length,
        (cell) => values[cell]! <= um && !(outside && values[cell]! <= 0),
      );
      selectCells(viewer.store, { ...cells, chosenBy: [criterionOf(from, viewer)] });
      viewer.store.setState({ panel: "selection" });
    },
    onError: (failure) => {
      console.error(failure);
      toast(texts.failed, { failed: true });
    },
  });

  if (!measure) return null;
  return (
    <PanelSection title={texts.title}>
      <SmallSelect
        label={texts.from}
        value={measure}
        onChange={(value) => isPlaceMeasure(value) && setFrom(value)}
      >
        <PlaceOptions />
      </SmallSelect>
      <TextField
        label={texts.within}
        error={error}
        className="text-[0.8125rem]"
        inputMode="decimal"
        value={within}
        onText={setWithin}
        inputClass="h-9!"
      />
      <Checkbox checked={outside} onCheck={setOutside}>
        {texts.outside}
      </Checkbox>
      <div className="flex flex-wrap gap-1.5">
        <Button
          size="sm"
          busy={isPending}
          disabled={error !== null}
          onClick={() => select(measure)}
        >
          {texts.select}
        </Button>
        <Button size="sm" onClick={() => viewer.store.setState({ colorBy: "measure", measure })}>
          {texts.colorBy}
        </Button>
      </div>
    </PanelSection>
  );
}

/** The chosen measure if its region or type still exists; otherwise the first there is. */
function known(
  chosen: PlaceMeasure | null,
  { manifest }: OpenViewer,
  regions: readonly ViewRegion[],
): PlaceMeasure | null {
  const offered = [
    ...regions.map(({ value }): PlaceMeasure => `border:${value.name}`),
    ...manifest.types.filter(isFound).map(({ name }): PlaceMeasure => `near:${name}`),
  ];
  return offered.find((measure) => measure === chosen) ?? offered[0] ?? null;
}

/** Cells near a type were chosen by expression as well, which a comparison must say. */
function criterionOf(measure: PlaceMeasure, { manifest }: OpenViewer): Criterion {
  const { from, name } = placeOf(measure);
  if (from === "border") return "place";
  return `expression type:${manifest.types.findIndex((type) => type.name === name)}`;
}
