import { Ban } from "lucide-react";
import { useState } from "react";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { workflowTexts } from "./texts.ts";

/** Cancels a run, after asking. */
export function CancelButton({ busy, onCancel }: { busy: boolean; onCancel: () => Promise<void> }) {
  const [confirming, setConfirming] = useState(false);
  return (
    <>
      <Button
        variant="ghost"
        className="text-bad"
        icon={<Ban aria-hidden className="size-4" />}
        disabled={busy}
        onClick={() => setConfirming(true)}
      >
        {workflowTexts.cancel}
      </Button>
      <Dialog
        alert
        open={confirming}
        onClose={() => setConfirming(false)}
        title={workflowTexts.cancelTitle}
        description={workflowTexts.cancelText}
        actions={
          <>
            <Button onClick={() => setConfirming(false)}>{workflowTexts.keepRunning}</Button>
            <Button
              variant="danger"
              onClick={() => {
                setConfirming(false);
                void onCancel();
              }}
            >
              {workflowTexts.cancel}
            </Button>
          </>
        }
      />
    </>
  );
}
