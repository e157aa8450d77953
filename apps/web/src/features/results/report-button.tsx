import { Dialog } from "@base-ui/react/dialog";
import { getReport } from "@stipple/contract/routes/results";
import { FileText, X } from "lucide-react";
import { useRef, useState } from "react";
import { apiResponse } from "../../app/api.ts";
import { Button } from "../../components/button.tsx";
import { resultsTexts } from "../../texts/analysis.ts";

/** Opens the report of a finished project over the page, in a frame that can run and load nothing. */
export function ReportButton({
  projectId,
  ready,
  onFailure,
}: {
  projectId: string;
  ready: boolean;
  onFailure: (error: Error) => void;
}) {
  const [report, setReport] = useState<string | null>(null);
  const button = useRef<HTMLButtonElement>(null);
  const [busy, setBusy] = useState(false);

  async function open(): Promise<void> {
    setBusy(true);
    try {
      const answer = await apiResponse(getReport, { query: { project_id: projectId } });
      setReport(await answer.text());
    } catch (error) {
      onFailure(error as Error);
    } finally {
      setBusy(false);
    }
  }

  return (
    <>
      <Button
        ref={button}
        className="max-sm:w-full"
        icon={<FileText aria-hidden className="size-4" />}
        disabled={!ready}
        busy={busy}
        onClick={open}
      >
        {resultsTexts.report}
      </Button>
      <Dialog.Root open={report !== null} onOpenChange={(next) => !next && setReport(null)}>
        <Dialog.Portal>
          <Dialog.Backdrop className="fixed inset-0 z-40 bg-backdrop" />
          <Dialog.Popup
            // The button was out of use while the report came, and had lost its focus.
            finalFocus={button}
            className="fixed inset-2 z-50 flex flex-col overflow-hidden rounded-card border border-line bg-card shadow-xl outline-none sm:inset-6"
          >
            <header className="flex items-center justify-between gap-3 border-b border-line px-4 py-2">
              <Dialog.Title className="text-base">{resultsTexts.reportTitle}</Dialog.Title>
              <Dialog.Close
                aria-label={resultsTexts.closeReport}
                className="grid size-10 place-items-center rounded-control text-ink-3 hover:bg-raised hover:text-ink"
              >
                <X aria-hidden className="size-5" />
              </Dialog.Close>
            </header>
            {report !== null && (
              <iframe
                title={resultsTexts.reportTitle}
                sandbox=""
                srcDoc={report}
                className="min-h-0 flex-1 bg-white"
              />
            )}
          </Dialog.Popup>
        </Dialog.Portal>
      </Dialog.Root>
    </>
  );
}
