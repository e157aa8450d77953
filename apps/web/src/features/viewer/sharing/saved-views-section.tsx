import { deleteView, saveView, type SavedView } from "@stipple/contract/routes/visualization";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Bookmark, Pencil, Trash2 } from "lucide-react";
import { useRef, useState, type FormEvent } from "react";
import { api, ApiError, errorText } from "../../../app/api.ts";
import { Button } from "../../../components/button.tsx";
import { Dialog } from "../../../components/dialog.tsx";
import { Field, Input } from "../../../components/field.tsx";
import { IconButton } from "../../../components/icon-button.tsx";
import { Skeleton } from "../../../components/skeleton.tsx";
import { StatusMessage } from "../../../components/status-message.tsx";
import { sharingTexts as texts } from "./texts.ts";
import { useViewer } from "../state/viewer-context.tsx";
import { RenameDialog } from "./rename-dialog.tsx";
import { openSavedView, viewToJson } from "./view-state.ts";

interface Message {
  text: string;
  failed: boolean;
}

/** Named views of the project: anyone can open them; the owner can save, rename, and delete them. */
export function SavedViewsSection({ isOwner }: { isOwner: boolean }) {
  const { server, store, manifest, projectId } = useViewer();
  const client = useQueryClient();
  const queryKey = ["viewer-views", projectId];
  const views = useQuery({ queryKey, queryFn: ({ signal }) => server.views(signal) });
  const [message, setMessage] = useState<Message | null>(null);
  const [name, setName] = useState("");
  const nameInput = useRef<HTMLInputElement>(null);
  const [saving, setSaving] = useState(false);
  const [renaming, setRenaming] = useState<SavedView | null>(null);
  const [deleting, setDeleting] = useState<SavedView | null>(null);
  const params = { id: projectId };
  const list = views.data ?? [];
  const named = (wanted: string) => list.find((view) => view.name === wanted.normalize().trim());

  async function save(event: FormEvent): Promise<void> {
    event.preventDefault();
    setSaving(true);
    setMessage(null);
    try {
      const state = await viewToJson(store.getState(), manifest.nCells);
      const saved = await api(saveView, { params, body: { name, state } });
      await client.invalidateQueries({ queryKey });
      setName("");
      setMessage({ text: texts.viewSaved(saved.name), failed: false });
    } catch (error) {
      const tooLarge = error instanceof ApiError && error.code === "upload_too_large";
      setMessage({
        text: tooLarge ? texts.viewTooLarge : errorText(error, texts.viewSaveFailed),
        failed: true,
      });
    } finally {
      setSaving(false);
    }
  }

  async function open(view: SavedView): Promise<void> {
    try {
      await openSavedView(store, view.state, manifest.nCells);
      setMessage({ text: texts.viewOpened(view.name), failed: false });
    } catch {
      setMessage({ text: texts.viewUnreadable, failed: true });
    }
  }

  /** Saves under the new name before deleting the old one, so that a failure in between loses nothing. */
  async function rename(view: SavedView, next: string): Promise<void> {
    await api(saveView, { params, body: { name: next, state: view.state } });
    await api(deleteView, { params: { ...params, view: view.id } });
    await client.invalidateQueries({ queryKey });
  }

  async function remove(view: SavedView): Promise<void> {
    setDeleting(null);
    try {
      await api(deleteView, { params: { ...params, view: view.id } });
      await client.invalidateQueries({ queryKey });
      setMessage({ text: texts.viewDeleted(view.name), failed: false });
      // The pressed button no longer exists.
      nameInput.current?.focus();
    } catch (error) {
      setMessage({ text: errorText(error, texts.deleteFailed), failed: true });
    }
  }

  return (
    <>
      {views.isPending ? (
        <Skeleton className="h-10" />
      ) : views.isError ? (
        <StatusMessage text={texts.viewsFailed} failed />
      ) : list.length === 0 ? (
        <p className="text-ink-3">{texts.noViews}</p>
      ) : (
        <ul className="flex flex-col">
          {list.map((view) => (
            <li key={view.id} className="flex items-center gap-1">
              <button
                type="button"
                aria-label={texts.openView(view.name)}
                title={view.name}
                onClick={() => void open(view)}
                className="flex min-h-9 min-w-0 flex-1 items-center gap-2 rounded-control px-2 text-left hover:bg-raised"
              >
                <Bookmark aria-hidden className="size-4 shrink-0 text-ink-3" />
                <span className="truncate">{view.name}</span>
              </button>
              {isOwner && (
                <>
                  <IconButton
                    icon={Pencil}
                    label={texts.renameView(view.name)}
                    onClick={() => setRenaming(view)}
                  />
                  <IconButton
                    icon={Trash2}
                    label={texts.deleteView(view.name)}
                    onClick={() => setDeleting(view)}
                  />
                </>
              )}
            </li>
          ))}
        </ul>
      )}
      {isOwner && (
        <form className="flex flex-col gap-2" onSubmit={(event) => void save(event)}>
          <Field
            label={texts.viewName}
            hint={named(name) ? texts.replaces : texts.viewNameHint}
            className="min-w-0"
          >
            {(control) => (
              <Input
                {...control}
                ref={nameInput}
                value={name}
                maxLength={80}
                required
                autoComplete="off"
                onChange={(event) => setName(event.target.value)}
              />
            )}
          </Field>
          <Button type="submit" busy={saving} disabled={name.trim() === ""}>
            {texts.save}
          </Button>
        </form>
      )}
      <StatusMessage text={message?.text} failed={message?.failed ?? false} />
      {renaming && (
        <RenameDialog
          view={renaming}
          isTaken={(next) => next !== renaming.name && named(next) !== undefined}
          rename={(next) => rename(renaming, next)}
          onClose={() => setRenaming(null)}
        />
      )}
      <Dialog
        alert
        open={deleting !== null}
        onClose={() => setDeleting(null)}
        title={texts.deleteViewTitle(deleting?.name ?? "")}
        description={texts.deleteViewText}
        actions={
          <>
            <Button onClick={() => setDeleting(null)}>{texts.cancel}</Button>
            <Button variant="danger" onClick={() => deleting && void remove(deleting)}>
              {texts.delete}
            </Button>
          </>
        }
      />
    </>
  );
}
