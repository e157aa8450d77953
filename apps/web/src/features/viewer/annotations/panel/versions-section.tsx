import {
  annotationVersions,
  deleteAnnotationVersion,
  restoreAnnotationVersion,
  saveAnnotationVersion,
  type AnnotationVersion,
} from "@stipple/contract/routes/annotations";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { History, Trash2 } from "lucide-react";
import { useRef, useState } from "react";
import { api, ApiError, errorText } from "../../../../app/api.ts";
import { useAttempt } from "../../../../app/use-attempt.ts";
import { Button } from "../../../../components/button.tsx";
import { Input } from "../../../../components/field.tsx";
import { IconButton } from "../../../../components/icon-button.tsx";
import { StatusMessage } from "../../../../components/status-message.tsx";
import { MAX_NAME_LETTERS } from "../../selection/groups-json.ts";
import { PanelSection } from "../../selection/panel/section.tsx";
import { useViewer } from "../../state/viewer-context.tsx";
import type { ChangedAnnotations } from "../annotation-server.ts";
import { takeChanged } from "../sync.ts";
import { annotationTexts } from "../texts.ts";
import { useAnnotations } from "../use-annotations.ts";
import { momentText } from "../../../../app/long-date.ts";

const texts = annotationTexts.versions;

/** Named versions: saved, restored, deleted. */
export function VersionsSection() {
  const { versions, message, act, save, restore, remove } = useVersions();
  const isBusy = useAnnotations(({ pending, status }) => pending.length > 0 || status !== "ready");
  const [name, setName] = useState("");
  const input = useRef<HTMLInputElement>(null);
  return (
    <PanelSection title={texts.title}>
      <form
        className="flex items-center gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          void act(() => save(name)).then((done) => done && setName(""));
        }}
      >
        <Input
          ref={input}
          aria-label={texts.name}
          placeholder={texts.name}
          value={name}
          maxLength={MAX_NAME_LETTERS}
          onChange={(event) => setName(event.target.value)}
          className="h-9! min-w-0 flex-1"
        />
        <Button type="submit" size="sm" className="h-9!" disabled={isBusy || name.trim() === ""}>
          {texts.save}
        </Button>
      </form>
      <StatusMessage text={message?.text ?? null} failed={message?.failed ?? false} />
      {versions.length === 0 && <p className="text-[0.8125rem] text-ink-3">{texts.empty}</p>}
      <ul className="-mx-2">
        {versions.map((version) => (
          <li
            key={version.id}
            className="flex items-center gap-0.5 rounded-control pr-1 pl-2 hover:bg-raised"
          >
            <span className="min-w-0 flex-1 py-1.5">
              <span className="block truncate">{version.name}</span>
              <span className="text-[0.8125rem] text-ink-3">
                {texts.row(version.count, momentText(version.at))}
              </span>
            </span>
            <IconButton
              size="sm"
              icon={History}
              disabled={isBusy}
              label={texts.restore(version.name)}
              onClick={() => void act(() => restore(version))}
            />
            <IconButton
              size="sm"
              icon={Trash2}
              label={texts.remove(version.name)}
              onClick={() => {
                // The pressed button goes with its row.
                void act(() => remove(version)).then((done) => done && input.current?.focus());
              }}
            />
          </li>
        ))}
      </ul>
    </PanelSection>
  );
}

/** The project's versions, what can be done with them, and the message about what was done last. */
function useVersions() {
  const { annotations, projectId } = useViewer();
  const client = useQueryClient();
  const { attempt, message, setMessage } = useAttempt();
  const queryKey = ["annotation-versions", projectId];
  const params = { id: projectId };
  const query = useQuery({
    queryKey,
    queryFn: ({ signal }) => api(annotationVersions, { params, signal }),
  });

  /** Whether it worked; otherwise the message says why not. */
  const act = (work: () => Promise<string | null>): Promise<boolean> =>
    attempt(
      async () => {
        const text = await work();
        if (text !== null) setMessage({ text, failed: false });
        await client.invalidateQueries({ queryKey });
      },
      (error) => {
        if (error instanceof ApiError && error.code === "annotations_changed") {
          annotations.setState({ isStale: true });
        }
        return errorText(error, texts.failed);
      },
    );

  return {
    versions: query.data ?? [],
    message,
    act,
    async save(name: string): Promise<null> {
      await api(saveAnnotationVersion, { params, body: { name } });
      return null;
    },
    async restore({ id, name }: AnnotationVersion): Promise<string> {
      const { revision } = annotations.getState();
      const changed = await api(restoreAnnotationVersion, {
        params: { ...params, version: id },
        body: { revision },
      });
      takeChanged(annotations, changed as ChangedAnnotations);
      return texts.restored(name);
    },
    async remove({ id }: AnnotationVersion): Promise<null> {
      await api(deleteAnnotationVersion, { params: { ...params, version: id } });
      return null;
    },
  };
}
