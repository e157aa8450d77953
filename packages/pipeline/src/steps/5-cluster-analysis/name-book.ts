import { coarserNames, isWithin } from "../../markers/coarser-names.ts";
import type { ChosenTypes } from "./choose-types.ts";
import type { NamedMarkers } from "../../types/name-clusters.ts";

/** Names, the types that each covers, and the coarser names. */
export class NameBook {
  readonly #chosen: ChosenTypes;
  readonly #sets: readonly NamedMarkers[];
  readonly #classes: readonly NamedMarkers[];

  constructor(
    chosen: ChosenTypes,
    sets: readonly NamedMarkers[],
    classes: readonly NamedMarkers[],
  ) {
    this.#chosen = chosen;
    this.#sets = sets;
    this.#classes = classes;
  }

  numberOf(name: string): number {
    const known = this.#chosen.names.indexOf(name);
    return known >= 0 ? known : this.#chosen.names.push(name) - 1;
  }

  /** The types that a name covers: itself, or those of its lineage or class. */
  membersOf(type: number): NamedMarkers[] {
    const name = this.#chosen.names[type];
    const own = this.#sets.filter(({ set }) => set.name === name);
    if (own.length > 0) return own;
    return [...this.#sets, ...this.#classes].filter(({ set }) => isWithin(set.lineage, name));
  }

  wider(type: number): number[] {
    const name = this.#chosen.names[type];
    const own = this.#sets.find(({ set }) => set.name === name)?.set;
    const lineage = own?.lineage ?? name;
    const parent = own?.parent === undefined ? [] : [own.parent];
    return [...parent, ...coarserNames(name, lineage)].map((wider) => this.numberOf(wider));
  }
}
