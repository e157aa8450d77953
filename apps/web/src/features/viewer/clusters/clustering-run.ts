import { createStore } from "zustand/vanilla";
import type { ClusterFeatures } from "@stipple/contract/routes/exploring";
import { errorText } from "../../../app/api.ts";
import type { CellSet } from "@stipple/viewer/cells";
import type { ViewServer } from "../../../project/view/view-server.ts";
import { base64OfBytes } from "../selection/base64.ts";
import { newId } from "../annotations/new-id.ts";
import type { Clustering } from "../state/clusterings.ts";
import { uniqueName } from "../state/free-names.ts";
import { perView } from "../state/per-view.ts";
import type { ViewerStore } from "../state/viewer-store.ts";
import {
  addClustering,
  changeClustering,
  divided,
  MAX_GROUPS,
  showClustering,
} from "./edit-clusterings.ts";
import { unpackedLabels } from "./packed-labels.ts";
import { clusterTexts as texts } from "./texts.ts";

export interface RunState {
  /** Key of the chosen cells (see CellChoice); "" = all. */
  cells: string;
  features: ClusterFeatures;
  resolution: string;
  /** Id of the gene list that describes the cells; "" = the most variable genes. */
  list: string;
  running: { done: number | null; stop: () => void } | null;
  failed: string | null;
  /** What the last run gave. */
  told: string | null;
}

/** A page's choices and run; it goes on while its panel is closed. */
export const runOf = perView(() =>
  createStore<RunState>(() => ({
    cells: "",
    features: "rates",
    resolution: "1",
    list: "",
    running: null,
    failed: null,
    told: null,
  })),
);

export interface RunOrder {
  /** Null = all cells. */
  within: { name: string; cells: CellSet } | null;
  features: ClusterFeatures;
  resolution: number;
  genes: { name: string; genes: readonly string[] } | null;
  /** The group that the clusters divide, of the shown clustering; null = they are a new clustering. */
  divides: { clustering: Clustering; index: number } | null;
}

/** Has the server cluster cells, and shows the result. Cancels a run in progress. Never rejects. */
export async function cluster(
  {
    store,
    server,
    manifest,
  }: { store: ViewerStore; server: ViewServer; manifest: { nCells: number } },
  order: RunOrder,
): Promise<void> {
  const run = runOf(store);
  run.getState().running?.stop();
  const controller = new AbortController();
  const { signal } = controller;
  const stop = (): void => {
    controller.abort();
    run.setState({ running: null });
  };
  run.setState({ running: { done: null, stop }, failed: null, told: null });
  const { within, features, resolution, genes } = order;
  const body = {
    within: within && base64OfBytes(within.cells.bits),
    features,
    resolution,
    ...(genes && { genes: [...genes.genes] }),
  };
  try {
    const found = await server.clusters(body, signal, (done) => {
      if (!signal.aborted) run.setState({ running: { done, stop } });
    });
    const labels = await unpackedLabels(found.labels, manifest.nCells);
    if (signal.aborted) return;
    const cells = found.sizes.reduce((sum, size) => sum + size, 0);
    const wanted = within ? within.cells.count : manifest.nCells;
    const failed = keep(store, order, { labels, colors: found.colors });
    run.setState({
      running: null,
      // A divided group is no choice anymore.
      ...(order.divides && !failed && { cells: "" }),
      failed,
      told: failed ? null : texts.found(found.sizes.length, cells, wanted),
    });
  } catch (error) {
    if (signal.aborted) return;
    run.setState({ running: null, failed: texts.failed(errorText(error, texts.noAnswer)) });
  }
}

/** Takes found clusters into the view; the sentence if they cannot be. */
function keep(
  store: ViewerStore,
  { within, features, resolution, genes, divides }: RunOrder,
  found: { labels: Uint16Array<ArrayBuffer>; colors: readonly string[] },
): string | null {
  const { clusterings } = store.getState();
  const whole = divides && clusterings.find(({ id }) => id === divides.clustering.id);
  if (divides && whole?.labels === divides.clustering.labels) {
    const parts = divided(whole, divides.index, found);
    if (parts.groups.length > MAX_GROUPS) return texts.tooMany(MAX_GROUPS);
    changeClustering(store, parts);
    showClustering(store, parts.id);
    return null;
  }
  const of = within?.name ?? texts.all;
  const by = genes ? texts.byGenes(genes.name) : texts.features[features].toLowerCase();
  const names = new Set(clusterings.map(({ name }) => name));
  addClustering(store, {
    id: newId(),
    name: uniqueName(texts.nameOf(of, by, resolution), names),
    settings: { cells: of, features, resolution, ...(genes && { genes: genes.name }) },
    groups: found.colors.map((color, index) => ({ name: `${index + 1}`, color })),
    labels: found.labels,
  });
  return null;
}
