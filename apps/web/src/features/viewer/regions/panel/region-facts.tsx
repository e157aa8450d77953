import type { CellSet } from "@stipple/viewer/cells";
import { useMemo } from "react";
import { loadCode } from "../../../../app/load-code.ts";
import { Button } from "../../../../components/button.tsx";
import { Swatch } from "../../../../components/swatch.tsx";
import { toast } from "../../../../components/toast-store.ts";
import { useAnnotations } from "../../annotations/use-annotations.ts";
import { composition } from "../../selection/panel/composition.ts";
import { selectCells } from "../../selection/selection-actions.ts";
import { selectionTexts } from "../../selection/texts.ts";
import { shownGroups } from "../../state/shown-groups.ts";
import { useViewer, useViewerState } from "../../state/viewer-context.tsx";
import type { RegionCells } from "../measures/use-region-cells.ts";
import { regionTexts } from "../texts.ts";

const texts = regionTexts.panel;
const MAX_TYPES = 5;

/** Area, number of cells, and types of a region; its cells can be selected, which shows the rest. */
export function RegionFacts({ region }: { region: RegionCells }) {
  const viewer = useViewer();
  const mayEdit = useAnnotations((state) => state.mayEdit);
  const { store } = viewer;
  const { areaMm2, cells, value } = region;
  const facts = [
    value.class,
    texts.area(areaMm2),
    cells ? texts.cells(cells.count) : texts.counting,
  ].filter(Boolean);

  async function keep(): Promise<void> {
    const { keepOnly } = await loadCode(() => import("../keep-only.ts"));
    const isDone = keepOnly(viewer, region);
    toast(isDone ? texts.keptOnly : texts.nothingOutside, isDone ? { ok: true } : { failed: true });
  }

  return (
    <div className="flex flex-col gap-2 px-2 pb-2.5 text-[0.8125rem]">
      <p className="text-ink-2">{facts.join(" · ")}</p>
      {cells && cells.count > 0 && <Types cells={cells} />}
      <div className="flex flex-wrap gap-1.5">
        {cells && cells.count > 0 && (
          <Button
            size="sm"
            onClick={() => {
              selectCells(store, cells);
              store.setState({ panel: "selection" });
            }}
          >
            {texts.select}
          </Button>
        )}
        <Button
          size="sm"
          onClick={() => store.setState({ colorBy: "measure", measure: `border:${value.name}` })}
        >
          {texts.colorBy}
        </Button>
        {mayEdit && !value.excluded && (
          <Button size="sm" onClick={() => void keep()}>
            {texts.keepOnly}
          </Button>
        )}
      </div>
    </div>
  );
}

/** The most frequent types. */
function Types({ cells }: { cells: CellSet }) {
  const { manifest, cells: all } = useViewer();
  const edits = useViewerState((state) => state.edits.type);
  const shares = useMemo(
    () =>
      composition(
        all.type,
        shownGroups(manifest, "type", edits),
        cells,
        selectionTexts.composition.none,
      ),
    [all.type, manifest, edits, cells],
  );
  const more = shares.length - MAX_TYPES;
  return (
    <ul aria-label={texts.composition} className="flex flex-col gap-0.5">
      {shares.slice(0, MAX_TYPES).map(({ index, name, color, within }) => (
        <li key={index} className="flex items-center gap-2">
          <Swatch
            color={color ?? "var(--color-missing)"}
            className="size-2.5 shrink-0 rounded-sm"
          />
          <span className="min-w-0 flex-1 truncate">{name}</span>
          <span className="tabular-nums">{(100 * within).toFixed(1)}%</span>
        </li>
      ))}
      {more > 0 && <li className="text-ink-3">{texts.others(more)}</li>}
    </ul>
  );
}
