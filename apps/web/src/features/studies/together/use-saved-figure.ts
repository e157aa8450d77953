import type { ValueRange } from "@stipple/viewer/cells";
import { scaleEnds, type LegendPart } from "@stipple/viewer/figure";
import type { RefObject } from "react";
import { loadCode } from "../../../app/load-code.ts";
import { fileName } from "../../../components/save-drawing.ts";
import { toast } from "../../../components/toast-store.ts";
import { valueName, type Choice } from "./choice.ts";
import { type LinkedScenes, hasOwnScale } from "./linked-scenes.ts";
import type { DrawnGrid, DrawnSection } from "./save-figure.ts";
import type { SharedTypes } from "./shared-types.ts";
import { TOGETHER_TEXTS as TEXTS } from "./texts.ts";
import type { SectionLook } from "./use-looks.ts";
import type { Section } from "./use-sections.ts";

/** What the legend of a figure explains. */
export interface Explained {
  study: { name: string };
  choice: Choice;
  range: ValueRange | undefined;
  types: SharedTypes;
  hidden: ReadonlySet<string>;
}

interface Shown {
  grid: RefObject<HTMLDivElement | null>;
  linked: LinkedScenes;
  shown: readonly { section: Section; look: SectionLook }[];
  commonScale: number | null;
  isApart: (id: string) => boolean;
}

/** Saves the grid as it stands. */
export function useSavedFigure(explained: Explained, shown: Shown): (kind: "svg" | "png") => void {
  const save = async (kind: "svg" | "png"): Promise<void> => {
    const { saveGridPng, saveGridSvg, whenWhole } = await loadCode(
      () => import("./save-figure.ts"),
    );
    const drawn = drawnGrid(explained, shown);
    await whenWhole(drawn);
    const name = fileName(explained.study.name, TEXTS.figureFile);
    if (kind === "png") await saveGridPng(drawn, name);
    else saveGridSvg(drawn, name);
  };
  return (kind) =>
    void save(kind).catch((error: unknown) => {
      console.error(error);
      toast(TEXTS.saveFailed, { failed: true });
    });
}

function drawnGrid(explained: Explained, { grid, linked, shown, ...rest }: Shown): DrawnGrid {
  const frame = grid.current!.getBoundingClientRect();
  const sections = shown.flatMap(({ section }): DrawnSection[] => {
    const { projectId: id, name } = section;
    const scene = linked.sceneOf(id);
    const stage = grid.current!.querySelector(`[data-section="${id}"] [role="application"]`);
    if (!scene || !stage) return [];
    const { left, top } = stage.getBoundingClientRect();
    const isOwn = rest.isApart(id) || hasOwnScale(scene, rest.commonScale);
    return [{ name, scene, x: left - frame.left, y: top - frame.top, sharesScale: !isOwn }];
  });
  const { study, choice } = explained;
  const by = choice.by === "type" ? TEXTS.colorings.type.toLowerCase() : valueName(choice)?.title;
  return {
    ...{
      title: study.name,
      subtitle: by === undefined ? TEXTS.page : TEXTS.figure(by),
      sections,
      legend: legendOf(explained),
    },
    ...{ widthPx: frame.width, heightPx: frame.height },
  };
}

function legendOf({ choice, range, types, hidden }: Explained): LegendPart[] {
  if (choice.by === "type") {
    const entries = types.types.filter(({ name }) => !hidden.has(name));
    return [{ kind: "groups", title: TEXTS.types, entries }];
  }
  const name = valueName(choice);
  return name && range ? [{ kind: "scale", ...name, ...scaleEnds(range, choice.quantiles) }] : [];
}
