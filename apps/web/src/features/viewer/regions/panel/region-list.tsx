import { useState } from "react";
import { Button } from "../../../../components/button.tsx";
import { comparisonOf } from "../../selection/differential/comparison.ts";
import { PanelSection } from "../../selection/panel/section.tsx";
import { useViewer } from "../../state/viewer-context.tsx";
import type { RegionCells } from "../measures/use-region-cells.ts";
import { regionTexts } from "../texts.ts";
import { RegionRow } from "./region-row.tsx";

const texts = regionTexts.panel;

/** All regions, and the way to the comparison of two. */
export function RegionList({
  regions,
  mayEdit,
}: {
  regions: readonly RegionCells[];
  mayEdit: boolean;
}) {
  const { store } = useViewer();
  const [removed, setRemoved] = useState<string | null>(null);
  const names = regions.map(({ value }) => value.name);

  function compare(): void {
    const [a, b] = regions;
    comparisonOf(store).setState({ a: `region:${a!.id}`, b: `region:${b!.id}` });
    store.setState({ panel: "differential" });
  }

  return (
    <PanelSection
      title={texts.list}
      aside={
        regions.length > 1 && (
          <Button size="sm" variant="ghost" onClick={compare}>
            {regionTexts.compare}
          </Button>
        )
      }
    >
      <ul className="-mx-2">
        {regions.map((region) => (
          <RegionRow
            key={region.id}
            region={region}
            taken={names}
            mayEdit={mayEdit}
            onRemoved={() => setRemoved(region.value.name)}
          />
        ))}
      </ul>
      {removed && (
        <p role="status" className="text-[0.8125rem] text-ink-2">
          {texts.removed(removed)}
        </p>
      )}
    </PanelSection>
  );
}
