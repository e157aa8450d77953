import { LockKeyhole } from "lucide-react";
import type { ReactNode } from "react";
import { NewTabLink } from "../../../components/button.tsx";
import { sharingTexts as texts } from "./texts.ts";
import { useViewer } from "../state/viewer-context.tsx";

/**
 * Controls that save what the view shows to files. Results of a trial account may be seen but not taken away: an offer
 * to subscribe stands in their place, or for guests, who cannot subscribe for the owner, a sentence.
 */
export function FileSaving({ children }: { children: ReactNode }) {
  const { mayExport, readOnly } = useViewer();
  if (mayExport) return children;
  if (readOnly) return <p className="text-xs text-ink-3">{texts.savingOfGuest}</p>;
  return (
    <NewTabLink href="/pricing" size="sm" className="self-start" icon={LockKeyhole}>
      {texts.subscribe}
    </NewTabLink>
  );
}
