import type { SavedView } from "@stipple/contract/routes/visualization";
import { useId, useState, type FormEvent } from "react";
import { useAttempt } from "../../../app/use-attempt.ts";
import { Button } from "../../../components/button.tsx";
import { Dialog } from "../../../components/dialog.tsx";
import { TextField } from "../../../components/field.tsx";
import { sharingTexts as texts } from "./texts.ts";

/** Asks for a new name for a saved view. */
export function RenameDialog({
  view,
  isTaken,
  rename,
  onClose,
}: {
  view: SavedView;
  isTaken: (name: string) => boolean;
  rename: (name: string) => Promise<void>;
  onClose: () => void;
}) {
  const form = useId();
  const [name, setName] = useState(view.name);
  const { attempt, busy, message, setMessage } = useAttempt();

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (isTaken(name)) return setMessage({ text: texts.renameTaken, failed: true });
    if (name.trim() === view.name) return onClose();
    await attempt(async () => {
      await rename(name);
      onClose();
    }, texts.renameFailed);
  }

  return (
    <Dialog
      open
      onClose={onClose}
      title={texts.renameTitle}
      actions={
        <>
          <Button onClick={onClose}>{texts.cancel}</Button>
          <Button
            variant="primary"
            type="submit"
            form={form}
            busy={busy}
            disabled={name.trim() === ""}
          >
            {texts.rename}
          </Button>
        </>
      }
    >
      <form id={form} onSubmit={(event) => void submit(event)}>
        <TextField
          label={texts.viewName}
          error={message?.text}
          value={name}
          maxLength={80}
          required
          autoComplete="off"
          onText={setName}
        />
      </form>
    </Dialog>
  );
}
