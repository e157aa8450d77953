import type { ViewerManifest } from "@stipple/contract/routes/visualization";
import * as z from "zod/mini";
import type { NamedGroup, ViewerState, ViewerStore } from "../state/viewer-store.ts";
import type { CellSet } from "./cell-set.ts";
import { groupsFromJson, groupsToJson, selectionToJson } from "./groups-json.ts";

type Work = Pick<ViewerState, "groups" | "selection">;

/** Written this soon after the last change. */
const WRITE_AFTER_MS = 300;

const writtenWork = z.object({
  analysis: z.string(),
  groups: z.unknown(),
  selection: z.nullable(z.unknown()),
});

/** Names what a group's cells are counted in: another result of the same project has other cells. */
function analysisOf({ nCells, nSpots, genes, types, clusters }: ViewerManifest): string {
  const sizes = (groups: ViewerManifest["types"]) => groups.map(({ count }) => count);
  return JSON.stringify([nCells, nSpots, genes.length, sizes(types), sizes(clusters)]);
}

/**
 * Keeps the groups and the selection of a page in its tab: a reload, a detour and a later link to the same project find
 * them again. What is kept is first brought back, unless the page has work of its own. Stops when the returned function
 * is called. Where storage is forbidden or full, nothing is kept.
 */
export function keepWork(
  store: ViewerStore,
  manifest: ViewerManifest,
  key: string,
  storage: () => Pick<Storage, "getItem" | "setItem" | "removeItem">,
): () => void {
  let waiting: ReturnType<typeof setTimeout> | undefined;
  let turn = 0;

  const write = async (): Promise<void> => {
    const mine = ++turn;
    const { groups, selection } = store.getState();
    const text =
      groups.length > 0 || selection ? await workToJson({ groups, selection }, manifest) : null;
    // What was written later is already there.
    if (mine !== turn) return;
    if (text === null) storage().removeItem(key);
    else storage().setItem(key, text);
  };

  const broughtBack = workFromJson(() => storage().getItem(key), manifest)
    .then((kept) => {
      const { groups, selection } = store.getState();
      if (kept && groups.length === 0 && selection === null) store.setState(kept);
    })
    .catch(() => undefined);
  const writeNow = () => {
    waiting = undefined;
    void broughtBack.then(write).catch(() => undefined);
  };
  const stop = store.subscribe((state, before) => {
    if (state.groups === before.groups && state.selection === before.selection) return;
    clearTimeout(waiting);
    waiting = setTimeout(writeNow, WRITE_AFTER_MS);
  });
  return () => {
    stop();
    if (waiting === undefined) return;
    clearTimeout(waiting);
    writeNow();
  };
}

async function workToJson({ groups, selection }: Work, manifest: ViewerManifest): Promise<string> {
  return JSON.stringify({
    analysis: analysisOf(manifest),
    groups: await groupsToJson(groups, manifest.nCells),
    selection: selection && (await selectionToJson(selection, manifest.nCells)),
  });
}

/** What was kept of the same analysis, or null. Rejects when it cannot be read. */
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
