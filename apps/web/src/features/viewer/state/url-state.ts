import {
  byGrouping,
  GROUPINGS,
  LONGEST_CHANNEL_NAME,
  type ChannelChoice,
  type LayerChoices,
  type Place,
  type ViewName,
} from "@stipple/viewer/choices";
import { genesOf, joinedGenes } from "@stipple/contract/gene-list";
import { shortened } from "@stipple/contract/shortened";
import { measureNamed } from "./measures.ts";
import {
  COLORINGS,
  FIRST_SHOWN,
  type GroupEdit,
  type GroupEdits,
  type ShownState,
} from "./shown-state.ts";
import { useEffect } from "react";
import { ownEdits } from "./own-edits.ts";
import { shownOf, type ViewerStore } from "./viewer-store.ts";

/** Short URL parameter names; only values that differ from the defaults are written. */
const ON_OFF = [
  "tissue",
  "cells",
  "outlines",
  "fill",
  "nuclei",
  "spots",
  "labels",
] as const satisfies (keyof LayerChoices)[];
const AMOUNTS = {
  tissueOpacity: [0, 1],
  cellOpacity: [0, 1],
  spotOpacity: [0, 1],
  pointSize: [0.4, 2.5],
} as const satisfies Partial<Record<keyof LayerChoices, readonly [number, number]>>;

const short = (value: number): string => `${Number(value.toPrecision(7))}`;

/** The URL query (without "?") that restores the same picture. */
export function urlOf(shown: ShownState): string {
  const search = new URLSearchParams();
  const put = (name: string, value: string, first: string) => {
    if (value !== first) search.set(name, value);
  };
  put("view", shown.arrangement, FIRST_SHOWN.arrangement);
  put("by", shown.colorBy, FIRST_SHOWN.colorBy);
  put("clustering", shown.clustering ?? "", "");
  put("gene", shown.gene ?? "", "");
  put("gene2", shown.secondGene ?? "", "");
  put("score", joinedGenes(shown.scoreGenes), "");
  put("measure", shown.measure, FIRST_SHOWN.measure);
  put("values", shown.layer, FIRST_SHOWN.layer);
  put("range", shown.quantiles.map(short).join(","), FIRST_SHOWN.quantiles.map(short).join(","));
  for (const of of GROUPINGS) {
    put(`hide.${of}`, joinedGenes(shown.hidden[of]), "");
    if (Object.keys(shown.edits[of]).length > 0) {
      search.set(`edit.${of}`, JSON.stringify(shown.edits[of]));
    }
  }
  for (const name of ON_OFF) {
    put(name, shown.layers[name] ? "1" : "0", FIRST_SHOWN.layers[name] ? "1" : "0");
  }
  for (const name of Object.keys(AMOUNTS) as (keyof typeof AMOUNTS)[]) {
    put(name, short(shown.layers[name]), short(FIRST_SHOWN.layers[name]));
  }
  if (shown.swipe !== null) search.set("swipe", short(shown.swipe));
  if (shown.channels) {
    search.set(
      "channels",
      shown.channels
        .map(
          ({ visible, color, low, high, name }) =>
            `${visible ? "" : "-"}${color.slice(1)}:${short(low)}:${short(high)}${name ? `:${encoded(name)}` : ""}`,
        )
        .join("_"),
    );
  }
  for (const view of ["tissue", "umap"] as const) {
    const place = shown.places[view];
    if (place) {
      search.set(`at.${view}`, [place.x, place.y, place.zoom].map((n) => n.toFixed(2)).join(","));
    }
  }
  return search.toString();
}

/** The picture requested by a URL. Missing and invalid values are omitted. */
export function shownOfUrl(query: string): Partial<ShownState> {
  const search = new URLSearchParams(query);
  const one = <Name extends string>(name: string, known: readonly Name[]): Name | undefined =>
    known.find((value) => value === search.get(name));
  const shown: Partial<ShownState> = {};
  const arrangement = one("view", ["tissue", "umap", "both"]);
  if (arrangement) shown.arrangement = arrangement;
  const colorBy = one("by", COLORINGS);
  if (colorBy) shown.colorBy = colorBy;
  const clustering = search.get("clustering");
  if (clustering && clustering.length <= LONGEST_KEY) shown.clustering = clustering;
  if (search.get("gene")) shown.gene = search.get("gene");
  if (search.get("gene2")) shown.secondGene = search.get("gene2");
  const score = genesOf(search.get("score") ?? "");
  if (score.length > 0) shown.scoreGenes = score;
  const measure = measureNamed(search.get("measure"));
  if (measure) shown.measure = measure;
  const layer = one("values", ["rate", "counts"]);
  if (layer) shown.layer = layer;
  const range = numbers(search.get("range"), 2);
  if (range && range[0]! >= 0 && range[0]! < range[1]! && range[1]! <= 1) {
    shown.quantiles = [range[0]!, range[1]!];
  }
  shown.hidden = byGrouping((of) => genesOf(search.get(`hide.${of}`) ?? ""));
  shown.edits = byGrouping((of) => editsOf(search.get(`edit.${of}`)));
  const layers: LayerChoices = { ...FIRST_SHOWN.layers };
  for (const name of ON_OFF) {
    const value = one(name, ["0", "1"]);
    if (value) layers[name] = value === "1";
  }
  for (const [name, [low, high]] of Object.entries(AMOUNTS)) {
    const value = search.get(name) === null ? NaN : Number(search.get(name));
    if (value >= low && value <= high) layers[name as keyof typeof AMOUNTS] = value;
  }
  shown.layers = layers;
  const swipe = search.get("swipe") === null ? NaN : Number(search.get("swipe"));
  if (swipe >= 0 && swipe <= 1) shown.swipe = swipe;
  const channels = search.get("channels")?.split("_").map(channelOf);
  if (channels?.every((channel) => channel !== null)) shown.channels = channels;
  const place = (view: ViewName): Place | null => {
    const [x, y, zoom] = numbers(search.get(`at.${view}`), 3) ?? [];
    return zoom === undefined ? null : { x: x!, y: y!, zoom };
  };
  shown.places = { tissue: place("tissue"), umap: place("umap") };
  return shown;
}

function numbers(text: string | null, count: number): number[] | null {
  const values = text?.split(",").map(Number) ?? [];
  return values.length === count && values.every(Number.isFinite) ? values : null;
}

const COLOR = /^#[0-9a-f]{6}$/i;

/** Longest name of a group that may be edited. */
const LONGEST_KEY = 200;

/** Names and colors from JSON; whatever is invalid is omitted. */
export function editsOf(text: string | null): GroupEdits {
  const edits: Record<string, GroupEdit> = {};
  let written: unknown = null;
  try {
    written = JSON.parse(text ?? "null");
  } catch {
    // Not valid JSON: nothing is renamed.
  }
  if (typeof written !== "object" || written === null) return edits;
  for (const [key, value] of Object.entries(written as Record<string, unknown>)) {
    const { name, color } = (value ?? {}) as Record<string, unknown>;
    const edit: GroupEdit = {};
    if (typeof name === "string" && name.trim()) edit.name = shortened(name, 80);
    if (typeof color === "string" && COLOR.test(color)) edit.color = color;
    const isKey = key.length <= LONGEST_KEY && key !== "__proto__";
    if (isKey && Object.keys(edit).length > 0) edits[key] = edit;
  }
  return edits;
}

/** A name without the signs that separate channels and their parts. */
const encoded = (name: string): string => encodeURIComponent(name).replaceAll("_", "%5F");

function decoded(text: string | undefined): string | undefined {
  try {
    return text && shortened(decodeURIComponent(text), LONGEST_CHANNEL_NAME);
  } catch {
    return undefined;
  }
}

function channelOf(text: string): ChannelChoice | null {
  const [head = "", low, high, written] = text.split(":");
  const name = decoded(written);
  const visible = !head.startsWith("-");
  const color = `#${visible ? head : head.slice(1)}`;
  const window = { low: Number(low), high: Number(high) };
  return COLOR.test(color) && window.low < window.high
    ? { visible, color, ...window, ...(name && { name }) }
    : null;
}

/** The URL is updated this long after the last change: browsers allow about 100 changes in 30 s. */
const WRITE_AFTER_MS = 400;

/** Keeps the picture in the page's URL, so that a copied URL restores it. */
export function useUrlState(store: ViewerStore): void {
  useEffect(() => {
    let waiting: ReturnType<typeof setTimeout> | undefined;
    const write = () => {
      const state = store.getState();
      const query = urlOf({ ...shownOf(state), edits: ownEdits(state) });
      const { pathname, search } = window.location;
      if (search.slice(1) === query) return;
      window.history.replaceState(
        window.history.state,
        "",
        query ? `${pathname}?${query}` : pathname,
      );
    };
    const stop = store.subscribe(() => {
      clearTimeout(waiting);
      waiting = setTimeout(write, WRITE_AFTER_MS);
    });
    return () => {
      clearTimeout(waiting);
      stop();
    };
  }, [store]);
}
