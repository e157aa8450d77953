import { errorText } from "../../../app/api.ts";
import { Button } from "../../../components/button.tsx";
import { ProgressBar } from "../../../components/progress-bar.tsx";
import { markerTexts as texts } from "./texts.ts";
import type { OwnMarkers } from "./use-own-markers.ts";

/** Says that markers are being computed, or why they could not be. */
export function OwnMarkersStatus({ done, error, retry }: Omit<OwnMarkers, "table">) {
  if (error) {
    return (
      <div role="alert" className="flex flex-col items-start gap-3">
        <p>{texts.ownFailed(errorText(error, texts.noAnswer))}</p>
        <Button size="sm" onClick={retry}>
          {texts.retry}
        </Button>
      </div>
    );
  }
  return (
    <div role="status" className="flex flex-col gap-2">
      <p className="text-[0.8125rem] text-ink-2">{texts.comparing}</p>
      <ProgressBar value={done === null ? null : 100 * done} label={texts.comparing} active />
    </div>
  );
}
