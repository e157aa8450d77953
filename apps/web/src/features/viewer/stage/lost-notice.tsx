import { MonitorX } from "lucide-react";
import { Button } from "../../../components/button.tsx";
import { stageTexts } from "./texts.ts";

/** Covers a view that can no longer be drawn. */
export function LostNotice({ onAgain }: { onAgain: () => void }) {
  return (
    <div role="alert" className="absolute inset-0 z-20 grid place-items-center bg-raised p-6">
      <div className="max-w-sm text-center">
        <MonitorX aria-hidden className="mx-auto size-10 text-ink-3" />
        <h2 className="mt-4 text-lg font-semibold">{stageTexts.lostTitle}</h2>
        <p className="mt-2 text-ink-2">{stageTexts.lostText}</p>
        <div className="mt-6 flex flex-wrap justify-center gap-2">
          <Button variant="primary" onClick={onAgain}>
            {stageTexts.drawAgain}
          </Button>
          <Button onClick={() => window.location.reload()}>{stageTexts.reload}</Button>
        </div>
      </div>
    </div>
  );
}
