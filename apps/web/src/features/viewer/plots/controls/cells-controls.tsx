import { Segmented } from "../../../../components/segmented.tsx";
import { plotTexts } from "../../../../texts/viewer-plots.ts";
import { groupsOf } from "../../state/shown-groups.ts";
import { useViewer, useViewerState } from "../../state/viewer-context.tsx";
import { usePlotSettings, type PlotGrouping } from "../plot-settings.ts";
import { LabelledSelect } from "./labelled.tsx";

const GROUPINGS: readonly PlotGrouping[] = ["type", "cluster", "domain", "named", "none"];

/** Which cells are plotted, and by what they are grouped. */
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
    <>
      <LabelledSelect
        label={plotTexts.groupBy}
        value={groupBy}
        onChange={(next) => set({ groupBy: next as PlotGrouping })}
      >
        {offered.map((of) => (
          <option key={of} value={of}>
            {plotTexts.groupings[of]}
          </option>
        ))}
      </LabelledSelect>
      <div>
        <p className="mb-1 text-[0.8125rem] text-ink-2">{plotTexts.scope}</p>
        <Segmented
          label={plotTexts.scope}
          choices={(["shown", "all", "selection"] as const).map((value) => ({
            value,
            label: plotTexts.scopes[value],
          }))}
          value={scope}
          onChange={(next) => set({ scope: next })}
        />
      </div>
    </>
  );
}
