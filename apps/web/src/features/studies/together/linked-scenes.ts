import type { Scene } from "@stipple/viewer";
import type { Place } from "@stipple/viewer/choices";
import { fromCommon, toCommon, type CommonPlace, type SectionMap } from "@stipple/viewer/geometry";
import { useCallback, useSyncExternalStore } from "react";

type MovedScene = Pick<Scene, "goTo" | "turn">;

/** A place under the pointer, and on which section it is; in common µm. */
export interface PointedPlace {
  on: string;
  x: number;
  y: number;
}

/**
 * The scenes of one page. The one that a person moves last leads; those that are linked follow it by how the sections lie
 * on each other. Until then, sections with landmarks follow the one on which these place them.
 */
export class LinkedScenes<Moved extends MovedScene = Scene> {
  readonly #scenes = new Map<string, Moved>();
  readonly #places = new Map<string, Place>();
  readonly #listeners = new Set<() => void>();
  #maps: ReadonlyMap<string, SectionMap> = new Map();
  #apart: ReadonlySet<string> = new Set();
  #leader: string | null = null;
  #common: CommonPlace | null = null;
  #pointed: PointedPlace | null = null;

  /** A scene that is linked goes where the others are. Returns what takes it out. */
  add(id: string, scene: Moved): () => void {
    this.#scenes.set(id, scene);
    this.#turn(id);
    this.#follow(id);
    return () => {
      if (this.#scenes.get(id) === scene) this.#scenes.delete(id);
    };
  }

  sceneOf(id: string): Moved | undefined {
    return this.#scenes.get(id);
  }

  /** How the sections lie on each other, and which of them are moved on their own. */
  arrange(maps: ReadonlyMap<string, SectionMap>, apart: ReadonlySet<string>): void {
    this.#maps = maps;
    this.#apart = apart;
    for (const id of this.#scenes.keys()) this.#turn(id);
    this.#leader ??= this.#holder();
    const leader = this.#leader;
    // What the leader looks at stays; the others find it again.
    if (leader !== null && !apart.has(leader)) this.#lookWith(leader);
    for (const id of this.#scenes.keys()) if (id !== leader) this.#follow(id);
    this.#tell();
  }

  /** A person is about to move this one. */
  lead(id: string): void {
    this.#leader = id;
  }

  /** A scene moved, for whatever reason. */
  moved(id: string, place: Place): void {
    this.#places.set(id, place);
    this.#leader ??= this.#holder();
    if (id === this.#leader && !this.#apart.has(id)) {
      this.#lookWith(id);
      for (const other of this.#scenes.keys()) if (other !== id) this.#follow(other);
    }
    this.#tell();
  }

  /** Moves all that are linked by moving one of them, or the one that leads alone. */
  steer(act: (scene: Moved) => void): void {
    const linked = [...this.#scenes.keys()].filter((id) => !this.#apart.has(id));
    const leader = this.#leader;
    const id = leader !== null && this.#scenes.has(leader) ? leader : linked[0];
    if (id === undefined) return;
    this.lead(id);
    act(this.#scenes.get(id)!);
  }

  /** The place under the pointer, in drawing units; null = none. */
  point(on: string, at: readonly [number, number] | null): void {
    const map = this.#maps.get(on);
    const { x, y } = at && map ? toCommon(map, { x: at[0], y: at[1], zoom: 0 }) : { x: 0, y: 0 };
    this.#pointed = at && map && !this.#apart.has(on) ? { on, x, y } : null;
    this.#tell();
  }

  /** Where a section shows what the pointer is on elsewhere, in drawing units. */
  pointedOn(id: string): [number, number] | null {
    const [map, pointed] = [this.#maps.get(id), this.#pointed];
    if (!map || !pointed || pointed.on === id || this.#apart.has(id)) return null;
    const { x, y } = fromCommon(map, { ...pointed, umPerPx: 1 });
    return [x, y];
  }

  /** Called after every move, until the returned function is. */
  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  #lookWith(id: string): void {
    const [map, place] = [this.#maps.get(id), this.#places.get(id)];
    if (map && place) this.#common = toCommon(map, place);
  }

  /** A section that is shown and on which landmarks place others. */
  #holder(): string | null {
    const held = [...this.#maps].find(([id, { on }]) => on !== id && this.#places.has(on));
    return held ? held[1].on : null;
  }

  /** Rotated sections have the same orientation, even while one is moved on its own. */
  #turn(id: string): void {
    const turn = this.#maps.get(id)?.turn;
    if (turn) this.#scenes.get(id)?.turn(turn);
  }

  #follow(id: string): void {
    const [map, scene] = [this.#maps.get(id), this.#scenes.get(id)];
    if (!map || !scene || !this.#common || this.#apart.has(id)) return;
    scene.goTo(fromCommon(map, this.#common));
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}

/** Scales that differ by more than this have bars of their own. */
const SAME_WITHIN = 0.02;

/** Whether a section is drawn at another scale than the first one that is linked. */
export function hasOwnScale(scene: Scene, common: number | null): boolean {
  const { umPerPixel } = scene.frame();
  return common === null || umPerPixel === null || Math.abs(umPerPixel / common - 1) > SAME_WITHIN;
}

/** µm per CSS px of a scene as it moves; null before there is one. */
export function useUmPerPixel(linked: LinkedScenes, id: string | null): number | null {
  const read = useCallback(
    () => (id === null ? null : (linked.sceneOf(id)?.frame().umPerPixel ?? null)),
    [linked, id],
  );
  return useSyncExternalStore(linked.subscribe, read);
}
