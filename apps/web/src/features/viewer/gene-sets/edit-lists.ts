import { newId } from "../annotations/new-id.ts";
import type { GeneList, ViewerStore } from "../state/viewer-store.ts";
import type { WrittenList } from "./read-lists.ts";

/** Adds lists; one with the name of another replaces it. */
export function addLists(store: ViewerStore, lists: readonly WrittenList[]): void {
  store.setState(({ geneLists }) => {
    const byName = new Map(geneLists.map((list) => [list.name, list]));
    for (const { name, genes } of lists) {
      byName.set(name, { id: byName.get(name)?.id ?? newId(), name, genes });
    }
    return { geneLists: [...byName.values()] };
  });
}

/** Takes genes, as the sample names them, out of a list. Whether any are left: a list without genes is removed. */
export function withoutGenes(
  store: ViewerStore,
  list: GeneList,
  genes: readonly string[],
): boolean {
  const gone = new Set(genes.map((gene) => gene.toLowerCase()));
  const left = list.genes.filter((gene) => !gone.has(gene.toLowerCase()));
  if (left.length === 0) removeList(store, list);
  else addLists(store, [{ name: list.name, genes: left }]);
  return left.length > 0;
}

export function removeList(store: ViewerStore, { id }: Pick<GeneList, "id">): void {
  store.setState(({ geneLists }) => ({ geneLists: geneLists.filter((list) => list.id !== id) }));
}
