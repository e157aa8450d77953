import { Button } from "./button.tsx";
import { Dialog, type DialogProps } from "./dialog.tsx";

/** Asks before something is done. */
export function ConfirmDialog({
  action,
  cancel = "Cancel",
  tone = "danger",
  busy = false,
  onConfirm,
  ...dialog
}: Pick<DialogProps, "open" | "title" | "description" | "finalFocus"> & {
  onClose: () => void;
  /** Words of the buttons. */
  action: string;
  cancel?: string;
  tone?: "danger" | "primary";
  busy?: boolean;
  onConfirm: () => void;
}) {
  return (
    <Dialog
      alert
      {...dialog}
      actions={
        <>
          <Button onClick={dialog.onClose}>{cancel}</Button>
          <Button variant={tone} busy={busy} onClick={onConfirm}>
            {action}
          </Button>
        </>
      }
    />
  );
}
