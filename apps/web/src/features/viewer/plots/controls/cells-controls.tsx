import { plotTexts } from "../texts.ts";
import { groupsOf } from "../../state/shown-groups.ts";
import { useViewer, useViewerState } from "../../state/viewer-context.tsx";
import { usePlotSettings, type PlotGrouping, type PlotScope } from "../plot-settings.ts";
import { Choice } from "./labeled.tsx";

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
      <Choice
        label={plotTexts.groupBy}
        value={groupBy}
        options={offered}
        named={(of) => plotTexts.groupings[of]}
        onChange={(next) => set({ groupBy: next })}
      />
      <Choice
        label={plotTexts.scope}
        value={scope}
        options={SCOPES}
        named={(of) => plotTexts.scopes[of]}
        onChange={(next) => set({ scope: next })}
      />
      {groupBy === "named" && <p className="col-span-2 text-xs text-ink-3">{plotTexts.overlap}</p>}
    </div>
  );
}
