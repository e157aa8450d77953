import type { ViewerManifest } from "@stipple/contract/viewer-manifest";
import * as z from "zod/mini";
import type { NamedGroup, ViewerState, ViewerStore } from "../state/viewer-store.ts";
import type { AnnotationStore } from "../annotations/annotation-store.ts";
import { writeDebounced } from "../state/write-debounced.ts";
import type { CellSet } from "@stipple/viewer/cells";
import { groupsFromJson, groupsToJson, selectionToJson } from "./groups-json.ts";

type Work = Pick<ViewerState, "groups" | "selection">;

const writtenWork = z.object({
  analysis: z.string(),
  groups: z.unknown(),
  selection: z.nullable(z.unknown()),
});

/** Identifies the analysis that cell indices refer to: another result of the same project has different cells. */
function analysisOf({ nCells, nSpots, genes, types, clusters }: ViewerManifest): string {
  const sizes = (groups: ViewerManifest["types"]) => groups.map(({ count }) => count);
  return JSON.stringify([nCells, nSpots, genes.length, sizes(types), sizes(clusters)]);
}

/**
 * Keeps a page's groups and selection in its tab, so that they survive reloads, navigating away, and later links to the
 * same project. First restores what was kept, unless the page already has work. Groups that the project keeps, by their
 * ids, are left to it. Stops when the returned function is called. If storage is blocked or full, nothing is kept.
 */
export function keepWork(
  store: ViewerStore,
  annotations: AnnotationStore,
  manifest: ViewerManifest,
  key: string,
  storage: () => Pick<Storage, "getItem" | "setItem" | "removeItem">,
): () => void {
  const isOfProject = ({ id }: NamedGroup): boolean => annotations.getState().items.has(id);
  let turn = 0;

  const write = async (): Promise<void> => {
    const mine = ++turn;
    const { groups: all, selection } = store.getState();
    const groups = all.filter((group) => !isOfProject(group));
    const text =
      groups.length > 0 || selection ? await workToJson({ groups, selection }, manifest) : null;
    // A later write has superseded this one.
    if (mine !== turn) return;
    if (text === null) storage().removeItem(key);
    else storage().setItem(key, text);
  };

  const broughtBack = workFromJson(() => storage().getItem(key), manifest)
    .then((kept) => {
      const { groups, selection } = store.getState();
      if (!kept || selection !== null || !groups.every(isOfProject)) return;
      store.setState({ ...kept, groups: [...groups, ...kept.groups] });
    })
    .catch(() => undefined);
  const save = () => void broughtBack.then(write).catch(() => undefined);
  const stopFollowing = annotations.subscribe((state, before) => {
    if (state.items !== before.items) save();
  });
  const { stop } = writeDebounced(store, ["groups", "selection"], save);
  return () => {
    stopFollowing();
    stop();
  };
}

async function workToJson({ groups, selection }: Work, manifest: ViewerManifest): Promise<string> {
  return JSON.stringify({
    analysis: analysisOf(manifest),
    groups: await groupsToJson(groups, manifest.nCells),
    selection: selection && (await selectionToJson(selection, manifest.nCells)),
  });
}

/** Work kept for the same analysis, or null. Rejects if it cannot be read. */
async function workFromJson(
  read: () => string | null,
  manifest: ViewerManifest,
): Promise<{ groups: NamedGroup[]; selection: CellSet | null } | null> {
  const text = read();
  if (text === null) return null;
  const work = writtenWork.parse(JSON.parse(text));
  if (work.analysis !== analysisOf(manifest)) return null;
  const groups = await groupsFromJson(work.groups, manifest.nCells);
  const selected =
    work.selection === null ? [] : await groupsFromJson(work.selection, manifest.nCells);
  return { groups, selection: selected[0]?.cells ?? null };
}
