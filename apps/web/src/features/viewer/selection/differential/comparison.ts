import type { DifferentialTable } from "@stipple/contract/routes/visualization";
import { createStore, type StoreApi } from "zustand/vanilla";
import { errorText } from "../../../../app/api.ts";
import { selectionTexts } from "../texts.ts";
import { differentialTexts } from "./texts.ts";
import type { ViewServer } from "../../../../project/view/view-server.ts";
import { perView } from "../../state/per-view.ts";
import { base64OfBytes } from "../base64.ts";
import { difference, intersection, type CellSet, type Criterion } from "@stipple/viewer/cells";

/** One side of a comparison: cells, with the name they had when it was started. */
export interface Side {
  name: string;
  cells: CellSet;
}

export interface ComparisonState {
  /** Keys of the chosen sets (see CellChoice); b "" = all other cells. */
  a: string;
  b: string;
  /** `done`: share of genes tested, 0–1; null until the server starts. */
  running: { since: number; done: number | null; stop: () => void } | null;
  failed: string | null;
  result: { a: string; b: string; table: DifferentialTable; caution: Caution } | null;
  /** Genes count as different if FDR is below `fdr` and |log2 fold change| is at least `change`. */
  thresholds: { fdr: number; change: number };
}
export type ComparisonStore = StoreApi<ComparisonState>;

/** A page's comparison; it keeps running while its panel is closed. */
export const comparisonOf = perView(() =>
  createStore<ComparisonState>(() => ({
    a: "selection",
    b: "",
    running: null,
    failed: null,
    result: null,
    thresholds: { fdr: 0.05, change: 0.5 },
  })),
);

/**
 * Has the server compare `a` with `b` (null = all other cells). Cells in both count for `a` only. Cancels a comparison
 * in progress. Never rejects: `failed` holds the message to show.
 */
export async function compare(
  store: ComparisonStore,
  server: ViewServer,
  a: Side,
  b: Side | null,
): Promise<void> {
  store.getState().running?.stop();
  const controller = new AbortController();
  const { signal } = controller;
  const running = {
    since: Date.now(),
    done: null,
    stop: () => {
      controller.abort();
      store.setState({ running: null });
    },
  };
  store.setState({ running, failed: null });
  const bits = ({ cells }: Side) => base64OfBytes(cells.bits);
  try {
    const others = b && bits({ ...b, cells: difference(b.cells, a.cells) });
    const table = await server.differential(bits(a), others, signal, (done) => {
      if (!signal.aborted) store.setState({ running: { ...running, done } });
    });
    if (signal.aborted) return;
    const names = { a: a.name, b: b ? b.name : selectionTexts.choices.rest };
    const caution = cautionOf(a.cells, b ? b.cells : null);
    store.setState({ running: null, result: { ...names, table, caution } });
  } catch (error) {
    if (signal.aborted) return;
    const { failed, noAnswer } = differentialTexts.compare;
    store.setState({ running: null, failed: failed(errorText(error, noAnswer)) });
  }
}

/** Why two sides cannot be compared, or a caveat for the user; null if neither applies. */
export function comparisonNote(
  a: CellSet | null,
  b: CellSet | null,
): { text: string; prevents: boolean } | null {
  const texts = differentialTexts.compare;
  if (!a) return { text: texts.nothing, prevents: true };
  if (!b) return null;
  const shared = intersection(a, b).count;
  if (shared === b.count) return { text: texts.same, prevents: true };
  return shared > 0 ? { text: texts.shared(shared), prevents: false } : null;
}

/** What to keep in mind about a comparison, by how its cells were chosen. */
type Caution = "expression" | "place" | "quality" | "unknown";

/**
 * The caution for comparing `a` with `b` (null = all other cells). Cells chosen by expression differ by design, unless
 * the same choice was made on both sides, as in "T cells here against T cells there".
 */
export function cautionOf(a: CellSet, b: CellSet | null): Caution {
  const ofB = b ? b.chosenBy : a.chosenBy;
  if (!a.chosenBy || !ofB) return "unknown";
  const all = [...a.chosenBy, ...ofB];
  const alike = b !== null && expressionOf(a.chosenBy) === expressionOf(ofB);
  if (all.some(isExpression) && !(alike && all.includes("place"))) return "expression";
  if (all.includes("place")) return "place";
  return all.includes("quality") ? "quality" : "unknown";
}

function isExpression(criterion: Criterion): boolean {
  return criterion.startsWith("expression");
}

function expressionOf(chosenBy: readonly Criterion[]): string {
  return chosenBy.filter(isExpression).sort().join();
}
