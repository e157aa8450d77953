import { Ban } from "lucide-react";
import { useState } from "react";
import { Button } from "../../components/button.tsx";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { workflowTexts } from "./texts.ts";

/** Cancels a run, after asking. */
export function CancelButton({ busy, onCancel }: { busy: boolean; onCancel: () => Promise<void> }) {
  const [confirming, setConfirming] = useState(false);
  return (
    <>
      <Button
        variant="ghost"
        className="text-bad"
        icon={Ban}
        disabled={busy}
        onClick={() => setConfirming(true)}
      >
        {workflowTexts.cancel}
      </Button>
      <ConfirmDialog
        open={confirming}
        onClose={() => setConfirming(false)}
        title={workflowTexts.cancelTitle}
        description={workflowTexts.cancelText}
        action={workflowTexts.cancel}
        cancel={workflowTexts.keepRunning}
        onConfirm={() => {
          setConfirming(false);
          void onCancel();
        }}
      />
    </>
  );
}
