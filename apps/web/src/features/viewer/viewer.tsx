import type { ViewerManifest } from "@stipple/contract/routes/visualization";
import { useQuery } from "@tanstack/react-query";
import { SlidersHorizontal, X } from "lucide-react";
import { useMemo, useState } from "react";
import { errorText } from "../../app/api.ts";
import { Logo } from "../../app/logo.tsx";
import { joinClasses } from "../../components/join-classes.ts";
import { Segmented } from "../../components/segmented.tsx";
import { viewerTexts } from "../../texts/viewer.ts";
import { cellColors, parseColor, type Coloring, type HiddenGroups } from "./cell-colors.ts";
import { DisplayPanel } from "./display-panel.tsx";
import { expressionRange } from "./expression-range.ts";
import { GeneSearch } from "./gene-search.tsx";
import { GroupList } from "./group-list.tsx";
import { Legend, valueText } from "./legend.tsx";
import type { LayerChoices } from "./scene-layers.ts";
import type { CellPolygons, SceneContent, ViewName } from "./scene.ts";
import { Stage } from "./stage.tsx";
import { scaled, type Cells, type GeneLayer, type ViewerSource } from "./viewer-data.ts";

type ColorBy = "type" | "cluster" | "gene";

const NOTHING_HIDDEN: HiddenGroups = { type: new Set(), cluster: new Set() };
const FIRST_CHOICES: LayerChoices = {
  tissue: true,
  tissueOpacity: 1,
  cells: true,
  cellOpacity: 0.85,
  outlines: true,
  spots: false,
  pointSize: 1,
};

/** Panel and stage of one project, once its cells are there. */
export function Viewer({
  source,
  projectName,
  manifest,
  cells,
}: {
  source: ViewerSource;
  projectName: string;
  manifest: ViewerManifest;
  cells: Cells;
}) {
  const [view, setView] = useState<ViewName>("tissue");
  const [colorBy, setColorBy] = useState<ColorBy>("type");
  const [gene, setGene] = useState<string | null>(null);
  const [layer, setLayer] = useState<GeneLayer>("rate");
  const [hidden, setHidden] = useState(NOTHING_HIDDEN);
  const [choices, setChoices] = useState(FIRST_CHOICES);
  const [close, setClose] = useState(false);
  const [tilesFailed, setTilesFailed] = useState(false);
  const [panelOpen, setPanelOpen] = useState(false);

  const expression = useQuery({
    queryKey: ["viewer-gene", manifest, gene, layer],
    enabled: gene !== null && colorBy === "gene",
    staleTime: Infinity,
    gcTime: 120_000,
    queryFn: async ({ signal }) => {
      const values = await source.gene(gene!, layer, signal);
      return { values, range: expressionRange(values) };
    },
  });
  const spots = useQuery({
    queryKey: ["viewer-spots", manifest],
    enabled: choices.spots,
    staleTime: Infinity,
    queryFn: async ({ signal }) =>
      scaled(
        (await source.column(manifest, "spots.xy", signal)) as Float32Array,
        1 / manifest.tissue.scale,
      ),
  });
  const polygons = useQuery({
    queryKey: ["viewer-polygons", manifest],
    enabled: close && choices.outlines && manifest.nCells > 0,
    staleTime: Infinity,
    gcTime: Infinity,
    queryFn: async ({ signal }): Promise<CellPolygons> => {
      const [offsets, xy] = await Promise.all([
        source.column(manifest, "cells.polygon.offsets", signal),
        source.column(manifest, "cells.polygon.xy", signal),
      ]);
      return { offsets: offsets as Uint32Array, xy: xy as Float32Array };
    },
  });

  const coloring = useMemo((): Coloring => {
    if (colorBy === "gene") {
      if (expression.data)
        return { by: "gene", ...expression.data, observedOnly: layer === "counts" };
      return { by: "group", of: "type", palette: [] };
    }
    const groups = colorBy === "type" ? manifest.types : manifest.clusters;
    return { by: "group", of: colorBy, palette: groups.map(({ color }) => parseColor(color)) };
  }, [colorBy, expression.data, layer, manifest]);
  const { rgba, drawn } = useMemo(
    () => cellColors(cells, coloring, hidden),
    [cells, coloring, hidden],
  );
  const content = useMemo(
    (): SceneContent => ({ view, rgba, choices, spots: spots.data, polygons: polygons.data }),
    [view, rgba, choices, spots.data, polygons.data],
  );

  const remark = tilesFailed
    ? viewerTexts.tilesFailed
    : polygons.isError
      ? viewerTexts.outlinesFailed
      : polygons.isFetching
        ? viewerTexts.outlinesLoading
        : null;

  return (
    <main className="grid h-dvh grid-rows-[auto_minmax(0,1fr)_auto] md:grid-cols-[20rem_minmax(0,1fr)] md:grid-rows-[auto_minmax(0,1fr)]">
      <h1 className="sr-only">{projectName}: interactive view</h1>
      <header className="flex items-center gap-3 border-b border-line bg-card px-4 py-2 md:block md:border-r md:py-3">
        <div className="hidden md:mb-3 md:block">
          <Logo />
        </div>
        <Title projectName={projectName} drawn={choices.cells ? drawn : 0} all={manifest.nCells} />
        <button
          type="button"
          aria-expanded={panelOpen}
          aria-controls="viewer-panel"
          aria-label={viewerTexts.panel}
          onClick={() => setPanelOpen(!panelOpen)}
          className="ml-auto grid size-10 shrink-0 place-items-center rounded-control border border-line hover:bg-raised md:hidden"
        >
          <SlidersHorizontal aria-hidden className="size-4" />
        </button>
      </header>
      <aside
        id="viewer-panel"
        aria-label={viewerTexts.panel}
        className={joinClasses(
          "flex min-h-0 flex-col bg-card md:border-r md:border-line",
          "max-md:order-last max-md:max-h-[50dvh] max-md:border-t max-md:border-line",
          !panelOpen && "max-md:hidden",
        )}
      >
        <button
          type="button"
          aria-label={viewerTexts.closePanel}
          onClick={() => setPanelOpen(false)}
          className="mr-2 ml-auto grid size-10 shrink-0 place-items-center text-ink-3 md:hidden"
        >
          <X aria-hidden className="size-4" />
        </button>
        <div className="flex min-h-0 flex-col gap-5 overflow-y-auto overscroll-contain px-4 pb-5 md:pt-4">
          <Control label={viewerTexts.view}>
            <Segmented
              label={viewerTexts.view}
              choices={(["tissue", "umap"] as const).map((value) => ({
                value,
                label: viewerTexts.views[value],
              }))}
              value={view}
              onChange={setView}
            />
          </Control>
          <Control label={viewerTexts.colorBy}>
            <Segmented
              label={viewerTexts.colorBy}
              choices={(["type", "cluster", "gene"] as const).map((value) => ({
                value,
                label: viewerTexts.colorings[value],
              }))}
              value={colorBy}
              onChange={setColorBy}
            />
          </Control>
          {colorBy === "gene" && (
            <div className="flex flex-col gap-3">
              <GeneSearch genes={manifest.genes} value={gene} onChange={setGene} />
              <Segmented
                label={viewerTexts.layer}
                choices={(["rate", "counts"] as const).map((value) => ({
                  value,
                  label: viewerTexts.layers[value],
                }))}
                value={layer}
                onChange={setLayer}
              />
              <p role="status" className="text-[0.8125rem] text-ink-3">
                {gene === null ? (
                  viewerTexts.geneChoose
                ) : expression.isError ? (
                  <span className="text-bad">
                    {viewerTexts.geneFailed(
                      errorText(expression.error, "the server did not answer."),
                    )}
                  </span>
                ) : expression.data ? (
                  <>
                    {viewerTexts.layerHints[layer]}{" "}
                    {viewerTexts.expressing(expression.data.range.expressing, manifest.nCells)}.{" "}
                    {viewerTexts.clipped}
                  </>
                ) : (
                  viewerTexts.geneLoading
                )}
              </p>
            </div>
          )}
          <GroupList
            key={colorBy === "cluster" ? "cluster" : "type"}
            label={colorBy === "cluster" ? "Clusters" : "Cell types"}
            groups={colorBy === "cluster" ? manifest.clusters : manifest.types}
            hidden={colorBy === "cluster" ? hidden.cluster : hidden.type}
            onChange={(next) =>
              setHidden((before) =>
                colorBy === "cluster" ? { ...before, cluster: next } : { ...before, type: next },
              )
            }
          />
          <DisplayPanel
            view={view}
            choices={choices}
            hasSpots={manifest.nSpots > 0}
            onChange={(part) => setChoices((before) => ({ ...before, ...part }))}
          />
        </div>
      </aside>
      <Stage
        source={source}
        manifest={manifest}
        cells={cells}
        content={content}
        onClose={setClose}
        onTileError={() => setTilesFailed(true)}
        describe={(cell) => (
          <CellCard
            cell={cell}
            cells={cells}
            manifest={manifest}
            gene={
              colorBy === "gene" && gene !== null && expression.data
                ? {
                    name: gene,
                    value:
                      layer === "counts" && cells.observed[cell] === 0
                        ? null
                        : expression.data.values[cell]!,
                  }
                : undefined
            }
          />
        )}
      >
        {remark && (
          <p
            role="status"
            className="rounded-control border border-line bg-card/95 px-2.5 py-1.5 text-xs text-ink-2"
          >
            {remark}
          </p>
        )}
        {colorBy === "gene" && gene !== null && expression.data && (
          <Legend gene={gene} layer={layer} range={expression.data.range} />
        )}
      </Stage>
    </main>
  );
}

function Title({ projectName, drawn, all }: { projectName: string; drawn: number; all: number }) {
  return (
    <div className="min-w-0">
      <p className="truncate text-base font-semibold" title={projectName}>
        {projectName}
      </p>
      <p aria-live="polite" className="text-[0.8125rem] text-ink-2">
        {viewerTexts.cells(drawn, all)}
      </p>
    </div>
  );
}

function Control({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <div>
      <p aria-hidden className="mb-1.5 text-[0.8125rem] font-medium text-ink-2">
        {label}
      </p>
      {children}
    </div>
  );
}

/** What is known of one cell. */
function CellCard({
  cell,
  cells,
  manifest,
  gene,
}: {
  cell: number;
  cells: Cells;
  manifest: ViewerManifest;
  gene: { name: string; value: number | null } | undefined;
}) {
  const type = manifest.types[cells.type[cell]!];
  const cluster = manifest.clusters[cells.cluster[cell]!];
  return (
    <>
      <p className="font-semibold">{viewerTexts.cell(cell)}</p>
      <dl className="mt-1 grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-0.5">
        {type && <Fact name={viewerTexts.type} value={type.name} color={type.color} />}
        {cluster && <Fact name={viewerTexts.cluster} value={cluster.name} color={cluster.color} />}
        <Fact
          name={viewerTexts.observed}
          value={cells.observed[cell] ? viewerTexts.yes : viewerTexts.no}
        />
        {gene && (
          <Fact
            name={gene.name}
            value={gene.value === null ? viewerTexts.noValue : valueText(gene.value)}
          />
        )}
      </dl>
    </>
  );
}

function Fact({ name, value, color }: { name: string; value: string; color?: string }) {
  return (
    <>
      <dt className="text-ink-3">{name}</dt>
      <dd className="flex min-w-0 items-center justify-end gap-1.5 text-right">
        {color && (
          <span
            aria-hidden
            className="size-2.5 shrink-0 rounded-[3px]"
            style={{ backgroundColor: color }}
          />
        )}
        <span className="truncate">{value}</span>
      </dd>
    </>
  );
}
