import { plotTexts } from "../texts.ts";
import { groupsOf } from "../../state/shown-groups.ts";
import { useViewer, useViewerState } from "../../state/viewer-context.tsx";
import { usePlotSettings, type PlotGrouping, type PlotScope } from "../plot-settings.ts";
import { LabeledSelect } from "./labeled.tsx";

const SCOPES: readonly PlotScope[] = ["shown", "all", "selection"];
const GROUPINGS: readonly PlotGrouping[] = ["type", "cluster", "domain", "own", "named", "none"];

/** Which cells are plotted, and how they are grouped. */
export function CellsControls() {
  const { manifest } = useViewer();
  const [{ groupBy, scope }, set] = usePlotSettings();
  const named = useViewerState((state) => state.groups.length > 0);
  const offered = GROUPINGS.filter(
    (of) =>
      of === groupBy ||
      of === "none" ||
      (of === "named" ? named : groupsOf(manifest, of).length > 0),
  );
  return (
    <div className="grid grid-cols-2 gap-3">
      <LabeledSelect
        label={plotTexts.groupBy}
        value={groupBy}
        onChange={(next) => set({ groupBy: next as PlotGrouping })}
      >
        {offered.map((of) => (
          <option key={of} value={of}>
            {plotTexts.groupings[of]}
          </option>
        ))}
      </LabeledSelect>
      <LabeledSelect
        label={plotTexts.scope}
        value={scope}
        onChange={(next) => set({ scope: next as PlotScope })}
      >
        {SCOPES.map((of) => (
          <option key={of} value={of}>
            {plotTexts.scopes[of]}
          </option>
        ))}
      </LabeledSelect>
      {groupBy === "named" && <p className="col-span-2 text-xs text-ink-3">{plotTexts.overlap}</p>}
    </div>
  );
}
