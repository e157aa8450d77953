import { Maximize, Minus, Plus, type LucideIcon } from "lucide-react";
import type { Scene } from "@stipple/viewer";
import { viewerTexts } from "../texts.ts";

export function ZoomButtons({ scene }: { scene: Scene | null }) {
  return (
    <div className="flex flex-col short:grid short:grid-cols-2 overflow-hidden rounded-control border border-line bg-card shadow-sm">
      <ZoomButton icon={Plus} label={viewerTexts.zoomIn} onClick={() => scene?.zoomBy(1)} />
      <ZoomButton icon={Minus} label={viewerTexts.zoomOut} onClick={() => scene?.zoomBy(-1)} />
      <ZoomButton icon={Maximize} label={viewerTexts.fit} onClick={() => scene?.fit()} />
    </div>
  );
}

function ZoomButton({
  icon: Icon,
  label,
  onClick,
}: {
  icon: LucideIcon;
  label: string;
  onClick: () => void;
}) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      onClick={onClick}
      className="grid size-9 place-items-center border-b border-line text-ink-2 outline-offset-[-2px] last:border-0 hover:bg-raised hover:text-ink"
    >
      <Icon aria-hidden className="size-4" />
    </button>
  );
}
