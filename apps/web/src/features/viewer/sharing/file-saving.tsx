import { LockKeyhole, Download } from "lucide-react";
import type { ReactNode } from "react";
import { NewTabLink, Button } from "../../../components/button.tsx";
import { sharingTexts as texts } from "./texts.ts";
import { useViewer } from "../state/viewer-context.tsx";
import { fileName, saveFile } from "../../../components/save-drawing.ts";

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

/** Saves a table as a CSV file, whose name is made of the project's and `name`. */
export function SaveTable({
  label = texts.csv,
  name,
  csv,
  ...button
}: {
  label?: string;
  name: readonly string[];
  csv: () => Promise<Blob>;
  size?: "sm";
  disabled?: boolean;
}) {
  const { projectName } = useViewer();
  const save = async (): Promise<void> =>
    saveFile(await csv(), `${fileName(projectName, ...name)}.csv`);
  return (
    <FileSaving>
      <Button
        {...button}
        icon={<Download aria-hidden className="size-4" />}
        onClick={() => void save()}
      >
        {label}
      </Button>
    </FileSaving>
  );
}
