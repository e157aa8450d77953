import { saveLandmarks, type Landmark } from "@stipple/contract/routes/registration";
import { useQueryClient } from "@tanstack/react-query";
import { Undo2 } from "lucide-react";
import { api, errorText } from "../../../app/api.ts";
import { useAttempt } from "../../../app/use-attempt.ts";
import { Button } from "../../../components/button.tsx";
import { StatusMessage } from "../../../components/status-message.tsx";
import { toast } from "../../../components/toast-store.ts";
import { uploadKey } from "../../../project/uploads/upload.ts";
import { uploads } from "../../../project/uploads/uploads.ts";
import { keepDraft } from "./draft.ts";
import type { LandmarkChange, LandmarkEdit } from "./landmarks.ts";
import { registrationTexts as TEXTS } from "./texts.ts";

/** What depends on the project's alignment. */
const DEPENDENT = ["uploaded-chunks", "own-files", "files-check", "registration"];

/** Adding a landmark, taking changes back, and keeping the landmarks as the project's alignment. */
export function LandmarkActions({
  projectId,
  edit: { landmarks, past },
  kept,
  isChanged,
  fits,
  replaces,
  onAdd,
  onChange,
}: {
  projectId: string;
  edit: LandmarkEdit;
  /** Those that the project has. */
  kept: readonly Landmark[];
  isChanged: boolean;
  /** Whether they determine a map. */
  fits: boolean;
  /** Whether the project has an alignment. */
  replaces: boolean;
  onAdd: () => void;
  onChange: (change: LandmarkChange) => void;
}) {
  const client = useQueryClient();
  const { attempt, busy, message } = useAttempt();

  const save = () =>
    attempt(
      async () => {
        const body = { landmarks: [...landmarks] };
        await api(saveLandmarks, { params: { id: projectId }, body });
        uploads.cancel(uploadKey(projectId, "alignment"));
        keepDraft(projectId, null);
        toast(TEXTS.saved, { ok: true });
        const stale = DEPENDENT.map((key) => ({ queryKey: [key, projectId] }));
        await Promise.all(stale.map((key) => client.invalidateQueries(key)));
      },
      (error) => `Error: ${errorText(error, TEXTS.saveFailed)}`,
    );

  return (
    <>
      <StatusMessage failed text={message?.text} />
      <div className="flex flex-wrap items-center gap-2">
        <Button size="sm" onClick={onAdd}>
          {TEXTS.add}
        </Button>
        <Button
          size="sm"
          icon={Undo2}
          disabled={past.length === 0}
          onClick={() => onChange({ do: "undo" })}
        >
          {TEXTS.undo}
        </Button>
        <Button size="sm" disabled={!isChanged} onClick={() => onChange({ do: "reset", to: kept })}>
          {TEXTS.reset}
        </Button>
        {replaces && isChanged && fits && (
          <span className="text-[0.8125rem] text-ink-3">{TEXTS.replaces}</span>
        )}
        <Button
          size="sm"
          variant="primary"
          className="ml-auto"
          busy={busy}
          disabled={!fits || !isChanged}
          onClick={() => void save()}
        >
          {TEXTS.save}
        </Button>
      </div>
    </>
  );
}
