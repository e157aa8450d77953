import { deleteView, saveView, type SavedView } from "@stipple/contract/routes/visualization";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, ApiError, errorText } from "../../../app/api.ts";
import { useViewer } from "../state/viewer-context.tsx";
import { sharingTexts as texts } from "./texts.ts";
import { openSavedView, viewToJson } from "./view-state.ts";

interface Message {
  text: string;
  failed: boolean;
}

/** The project's named views, what can be done with them, and the message about what was done last. */
export function useSavedViews() {
  const { server, store, manifest, projectId } = useViewer();
  const client = useQueryClient();
  const queryKey = ["viewer-views", projectId];
  const views = useQuery({ queryKey, queryFn: ({ signal }) => server.views(signal) });
  const [message, setMessage] = useState<Message | null>(null);
  const params = { id: projectId };
  /** Whether it could be saved. */
  async function save(name: string): Promise<boolean> {
    setMessage(null);
    try {
      const state = await viewToJson(store.getState(), manifest.nCells);
      const saved = await api(saveView, { params, body: { name, state } });
      await client.invalidateQueries({ queryKey });
      setMessage({ text: texts.viewSaved(saved.name), failed: false });
      return true;
    } catch (error) {
      const tooLarge = error instanceof ApiError && error.code === "upload_too_large";
      setMessage({
        text: tooLarge ? texts.viewTooLarge : errorText(error, texts.viewSaveFailed),
        failed: true,
      });
      return false;
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

  /** Whether it could be deleted. */
  async function remove(view: SavedView): Promise<boolean> {
    try {
      await api(deleteView, { params: { ...params, view: view.id } });
      await client.invalidateQueries({ queryKey });
      setMessage({ text: texts.viewDeleted(view.name), failed: false });
      return true;
    } catch (error) {
      setMessage({ text: errorText(error, texts.deleteFailed), failed: true });
      return false;
    }
  }

  return { views, message, save, open, rename, remove };
}
