import { Brush, Eraser, LassoSelect, Pentagon, Ruler, Spline, type LucideIcon } from "lucide-react";
import { joinClasses } from "../../../../components/join-classes.ts";
import { Segmented } from "../../../../components/segmented.tsx";
import { isRegionTool, type RegionTool } from "../../state/region-work.ts";
import { useViewer, useViewerState } from "../../state/viewer-context.tsx";
import { setRegionWork } from "../change-regions.ts";
import { regionTexts as texts } from "../texts.ts";

const TOOLS: readonly { tool: RegionTool | "ruler"; icon: LucideIcon }[] = [
  { tool: "polygon", icon: Pentagon },
  { tool: "freehand", icon: LassoSelect },
  { tool: "brush", icon: Brush },
  { tool: "eraser", icon: Eraser },
  { tool: "corners", icon: Spline },
  { tool: "ruler", icon: Ruler },
];
/** µm */
const BRUSH = { min: 1, max: 2000 };

/** What draws regions, and the ruler, which everyone may use. Touch screens look only. */
export function DrawSection({ mayEdit }: { mayEdit: boolean }) {
  const { store } = useViewer();
  const tool = useViewerState((state) => state.tool);
  const { change, brushUm } = useViewerState((state) => state.regionWork);
  const isOwn = (name: string): name is RegionTool | "ruler" =>
    isRegionTool(name) || name === "ruler";
  const paints = tool === "brush" || tool === "eraser";
  return (
    <section aria-label={texts.tools} className="flex flex-col gap-2 max-md:hidden">
      <h3 className="text-[0.8125rem] font-semibold">{texts.tools}</h3>
      <div role="group" aria-label={texts.tools} className="flex flex-wrap gap-1.5">
        {TOOLS.filter((one) => mayEdit || one.tool === "ruler").map(({ tool: one, icon: Icon }) => (
          <button
            key={one}
            type="button"
            aria-label={texts.toolNames[one]}
            aria-pressed={tool === one}
            aria-keyshortcuts={texts.toolKeys[one]}
            title={`${texts.toolNames[one]} (${texts.toolKeys[one]})`}
            onClick={() => store.setState({ tool: tool === one ? "pan" : one })}
            className={joinClasses(
              "grid size-9 place-items-center rounded-control border",
              tool === one
                ? "border-primary bg-primary-tint text-primary"
                : "border-line text-ink-2 hover:bg-raised hover:text-ink",
            )}
          >
            <Icon aria-hidden className="size-4" />
          </button>
        ))}
      </div>
      {isOwn(tool) && <p className="text-[0.8125rem] text-ink-2">{texts.toolHints[tool]}</p>}
      {(tool === "polygon" || tool === "freehand") && (
        <Segmented
          label={texts.change}
          choices={(["new", "add", "subtract"] as const).map((value) => ({
            value,
            label: texts.changes[value],
          }))}
          value={change}
          onChange={(next) => setRegionWork(store, { change: next })}
        />
      )}
      {paints && (
        <label className="flex items-center justify-between gap-2 text-[0.8125rem]">
          {texts.brush}
          <input
            type="number"
            {...BRUSH}
            defaultValue={brushUm}
            onChange={({ target: { valueAsNumber: um } }) => {
              if (um >= BRUSH.min && um <= BRUSH.max) setRegionWork(store, { brushUm: um });
            }}
            className="h-8 w-24 rounded-control border border-line-input bg-card px-2"
          />
        </label>
      )}
    </section>
  );
}
