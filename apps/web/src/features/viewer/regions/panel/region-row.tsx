import { Eye, EyeOff, Pencil, Trash2 } from "lucide-react";
import { IconButton } from "../../../../components/icon-button.tsx";
import { joinClasses } from "../../../../components/join-classes.ts";
import { Swatch } from "../../../../components/swatch.tsx";
import { useAnnotations } from "../../annotations/use-annotations.ts";
import { useEditing } from "../../facets/use-editing.ts";
import { toggled } from "../../state/toggled.ts";
import { useViewer, useViewerState } from "../../state/viewer-context.tsx";
import { removeRegion, setRegionWork } from "../change-regions.ts";
import type { RegionCells } from "../measures/use-region-cells.ts";
import { regionTexts } from "../texts.ts";
import { RegionFacts } from "./region-facts.tsx";
import { RegionForm } from "./region-form.tsx";

const texts = regionTexts.panel;

/** One region; clicking it chooses it for drawing and opens its facts. */
export function RegionRow({ region, onRemoved }: { region: RegionCells; onRemoved: () => void }) {
  const { annotations, store } = useViewer();
  const mayEdit = useAnnotations((state) => state.mayEdit);
  const { chosen, hidden } = useViewerState((state) => state.regionWork);
  const { isEditing, pencil, edit, stop } = useEditing();
  const { id, value, cells, isFailed } = region;
  const { name, color, excluded } = value;
  const isChosen = id === chosen;
  const isHidden = hidden.includes(id);
  const count = cells
    ? cells.count.toLocaleString("en-US")
    : isFailed
      ? texts.failed
      : texts.counting;
  return (
    <li className={joinClasses("rounded-control", isChosen && "bg-raised")}>
      <div className="flex items-center gap-0.5 pr-1">
        <button
          type="button"
          aria-expanded={isChosen}
          onClick={() => setRegionWork(store, { chosen: isChosen ? null : id })}
          className="flex min-w-0 flex-1 items-center gap-2.5 py-1.5 pl-2 text-left"
        >
          <Swatch color={color} className="size-3.5 shrink-0 rounded-[4px]" />
          <span className={joinClasses("min-w-0 flex-1 truncate", isHidden && "text-ink-3")}>
            {excluded ? regionTexts.excludedName(name) : name}
          </span>
          <span className="shrink-0 pr-1 text-[0.8125rem] text-ink-2">{count}</span>
        </button>
        <IconButton
          size="sm"
          icon={isHidden ? EyeOff : Eye}
          label={isHidden ? texts.show(name) : texts.hide(name)}
          onClick={() => setRegionWork(store, { hidden: toggled(hidden, id) })}
        />
        {mayEdit && (
          <>
            <IconButton
              size="sm"
              ref={pencil}
              icon={Pencil}
              label={texts.edit(name)}
              onClick={isEditing ? stop : edit}
            />
            <IconButton
              size="sm"
              icon={Trash2}
              label={texts.remove(name)}
              onClick={() => {
                removeRegion(annotations, id);
                onRemoved();
              }}
            />
          </>
        )}
      </div>
      {isEditing && <RegionForm id={id} value={value} onDone={stop} />}
      {isChosen && <RegionFacts region={region} />}
    </li>
  );
}
