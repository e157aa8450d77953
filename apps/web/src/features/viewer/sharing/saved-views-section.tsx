import { deleteView, saveView, type SavedView } from "@stipple/contract/routes/visualization";
import { Bookmark, Pencil, Trash2 } from "lucide-react";
import { useRef, useState, type FormEvent, type Ref } from "react";
import { Button } from "../../../components/button.tsx";
import { ConfirmDialog } from "../../../components/confirm-dialog.tsx";
import { TextField } from "../../../components/field.tsx";
import { IconButton } from "../../../components/icon-button.tsx";
import { Skeleton } from "../../../components/skeleton.tsx";
import { StatusMessage } from "../../../components/status-message.tsx";
import { sharingTexts as texts } from "./texts.ts";
import { Dialog } from "../../../components/dialog.tsx";
import { NameForm } from "../../../components/name-form.tsx";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { api, ApiError, errorText } from "../../../app/api.ts";
import { useAttempt } from "../../../app/use-attempt.ts";
import { useViewer } from "../state/viewer-context.tsx";
import { openSavedView, viewToJson } from "./view-state.ts";

/** Named views of the project: anyone can open them; the owner can save, rename, and delete them. */
export function SavedViewsSection({ isOwner }: { isOwner: boolean }) {
  const { views, message, save, open, rename, remove } = useSavedViews();
  const nameInput = useRef<HTMLInputElement>(null);
  const [renaming, setRenaming] = useState<SavedView | null>(null);
  const [deleting, setDeleting] = useState<SavedView | null>(null);
  const list = views.data ?? [];
  const named = (wanted: string) => list.find((view) => view.name === wanted.normalize().trim());

  async function renamed(view: SavedView, next: string): Promise<string | undefined> {
    if (next !== view.name) {
      if (named(next)) return texts.renameTaken;
      try {
        await rename(view, next);
      } catch (error) {
        return errorText(error, texts.renameFailed);
      }
    }
    setRenaming(null);
  }

  async function confirm(view: SavedView): Promise<void> {
    setDeleting(null);
    // The pressed button no longer exists.
    if (await remove(view)) nameInput.current?.focus();
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
        <ViewList
          views={list}
          isOwner={isOwner}
          onOpen={(view) => void open(view)}
          onRename={setRenaming}
          onDelete={setDeleting}
        />
      )}
      {isOwner && (
        <SaveForm isTaken={(name) => named(name) !== undefined} input={nameInput} save={save} />
      )}
      <StatusMessage text={message?.text} failed={message?.failed ?? false} />
      <Dialog open={renaming !== null} onClose={() => setRenaming(null)} title={texts.renameTitle}>
        {renaming && (
          <NameForm
            label={texts.viewName}
            initial={renaming.name}
            maxLength={80}
            onName={(next) => renamed(renaming, next)}
            onCancel={() => setRenaming(null)}
            action={texts.rename}
          />
        )}
      </Dialog>
      <ConfirmDialog
        open={deleting !== null}
        onClose={() => setDeleting(null)}
        title={texts.deleteViewTitle(deleting?.name ?? "")}
        description={texts.deleteViewText}
        action={texts.delete}
        onConfirm={() => deleting && void confirm(deleting)}
      />
    </>
  );
}

function ViewList({
  views,
  isOwner,
  onOpen,
  onRename,
  onDelete,
}: {
  views: readonly SavedView[];
  isOwner: boolean;
  onOpen: (view: SavedView) => void;
  onRename: (view: SavedView) => void;
  onDelete: (view: SavedView) => void;
}) {
  return (
    <ul className="flex flex-col">
      {views.map((view) => (
        <li key={view.id} className="flex items-center gap-1">
          <button
            type="button"
            aria-label={texts.openView(view.name)}
            title={view.name}
            onClick={() => onOpen(view)}
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
                onClick={() => onRename(view)}
              />
              <IconButton
                icon={Trash2}
                label={texts.deleteView(view.name)}
                onClick={() => onDelete(view)}
              />
            </>
          )}
        </li>
      ))}
    </ul>
  );
}

/** Saves what is shown under a name; a view of that name is replaced. */
function SaveForm({
  isTaken,
  input,
  save,
}: {
  isTaken: (name: string) => boolean;
  input: Ref<HTMLInputElement>;
  save: (name: string) => Promise<boolean>;
}) {
  const [name, setName] = useState("");
  const [saving, setSaving] = useState(false);

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    setSaving(true);
    if (await save(name)) setName("");
    setSaving(false);
  }

  return (
    <form className="flex flex-col gap-2" onSubmit={(event) => void submit(event)}>
      <TextField
        label={texts.viewName}
        hint={isTaken(name) ? texts.replaces : texts.viewNameHint}
        className="min-w-0"
        ref={input}
        value={name}
        maxLength={80}
        required
        autoComplete="off"
        onText={setName}
      />
      <Button type="submit" busy={saving} disabled={name.trim() === ""}>
        {texts.save}
      </Button>
    </form>
  );
}

/** The project's named views, what can be done with them, and the message about what was done last. */
function useSavedViews() {
  const { server, store, manifest, projectId } = useViewer();
  const client = useQueryClient();
  const queryKey = ["viewer-views", projectId];
  const views = useQuery({ queryKey, queryFn: ({ signal }) => server.views(signal) });
  const { attempt, message, setMessage } = useAttempt();
  const params = { id: projectId };
  const tell = (text: string): void => setMessage({ text, failed: false });

  /** Whether it could be saved. */
  const save = (name: string): Promise<boolean> =>
    attempt(
      async () => {
        const state = await viewToJson(store.getState(), manifest.nCells);
        const saved = await api(saveView, { params, body: { name, state } });
        await client.invalidateQueries({ queryKey });
        tell(texts.viewSaved(saved.name));
      },
      (error) => {
        const tooLarge = error instanceof ApiError && error.code === "upload_too_large";
        return tooLarge ? texts.viewTooLarge : errorText(error, texts.viewSaveFailed);
      },
    );

  const open = (view: SavedView): Promise<boolean> =>
    attempt(
      async () => {
        await openSavedView(store, view.state, manifest.nCells);
        tell(texts.viewOpened(view.name));
      },
      () => texts.viewUnreadable,
    );

  /** Saves under the new name before deleting the old one, so that a failure in between loses nothing. */
  async function rename(view: SavedView, next: string): Promise<void> {
    await api(saveView, { params, body: { name: next, state: view.state } });
    await api(deleteView, { params: { ...params, view: view.id } });
    await client.invalidateQueries({ queryKey });
  }

  /** Whether it could be deleted. */
  const remove = (view: SavedView): Promise<boolean> =>
    attempt(async () => {
      await api(deleteView, { params: { ...params, view: view.id } });
      await client.invalidateQueries({ queryKey });
      tell(texts.viewDeleted(view.name));
    }, texts.deleteFailed);

  return { views, message, save, open, rename, remove };
}
