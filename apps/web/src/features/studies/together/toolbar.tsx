import { Maximize, Minus, Plus } from "lucide-react";
import { Button } from "../../../components/button.tsx";
import { IconButton } from "../../../components/icon-button.tsx";
import { Segmented } from "../../../components/segmented.tsx";
import type { LinkedScenes } from "./linked-scenes.ts";
import { ScaleBarLine } from "../../../project/view/scale-bar-line.tsx";
import { TOGETHER_TEXTS as TEXTS } from "./texts.ts";

export type Arrangement = keyof typeof TEXTS.arrangements;

/** Moves all sections, arranges them, and saves the figure. */
export function Toolbar({
  linked,
  commonScale,
  arrangement,
  onArrange,
  mayExport,
  isGuest,
  onSave,
}: {
  linked: LinkedScenes;
  commonScale: number | null;
  arrangement: Arrangement;
  onArrange: (arrangement: Arrangement) => void;
  mayExport: boolean;
  isGuest: boolean;
  onSave: (kind: "svg" | "png") => void;
}) {
  return (
    <div className="flex flex-wrap items-center gap-2 pb-2">
      <IconButton
        icon={Plus}
        label={TEXTS.zoomIn}
        onClick={() => linked.steer((scene) => scene.zoomBy(1))}
      />
      <IconButton
        icon={Minus}
        label={TEXTS.zoomOut}
        onClick={() => linked.steer((scene) => scene.zoomBy(-1))}
      />
      <IconButton
        icon={Maximize}
        label={TEXTS.fit}
        onClick={() => linked.steer((scene) => scene.fit())}
      />
      {commonScale !== null && <ScaleBarLine umPerPixel={commonScale} />}
      <div className="ml-auto flex flex-wrap items-center gap-2">
        <div className="max-md:hidden">
          <Segmented
            label={TEXTS.arrangement}
            names={TEXTS.arrangements}
            value={arrangement}
            onChange={onArrange}
          />
        </div>
        {mayExport ? (
          <>
            <Button size="sm" onClick={() => onSave("svg")}>
              {TEXTS.saveSvg}
            </Button>
            <Button size="sm" onClick={() => onSave("png")}>
              {TEXTS.savePng}
            </Button>
          </>
        ) : isGuest ? (
          <p className="text-[0.8125rem] text-ink-3">{TEXTS.savingOfGuest}</p>
        ) : (
          <a href="/pricing" className="text-[0.8125rem] font-medium text-primary hover:underline">
            {TEXTS.subscribe}
          </a>
        )}
      </div>
    </div>
  );
}
