import { markersOf } from "@stipple/contract/markers-of";
import { useMemo } from "react";
import { useStore } from "zustand";
import { comparisonOf } from "../selection/differential/comparison.ts";
import { sideOf } from "../selection/differential/gene-rows.ts";
import { useReliabilities } from "../data/use-reliability.ts";
import { useStatistics } from "../plots/use-statistics.ts";
import { useOwnMarkers } from "../markers/use-own-markers.ts";
import { useViewer, useViewerState } from "../state/viewer-context.tsx";
import { geneSetTexts as texts } from "./texts.ts";

/** Genes that a table found, and all that it tested. */
export interface GeneTable {
  key: string;
  name: string;
  chosen: readonly string[];
  background: readonly string[];
  /** What the background is, if it is not the table's own genes. */
  note: string | null;
}

/** A table, or the group of an own clustering whose markers are computed once it is chosen. */
type TableChoice = GeneTable | (Pick<GeneTable, "key" | "name"> & { group: OwnGroup });

interface OwnGroup {
  clustering: string;
  name: string;
}

const KINDS = { cell_type: "type", cluster: "cluster", domain: "domain" } as const;

/** The table with the key `asked`, or the first one, and all that can be chosen. */
export function useGeneTables(asked: string) {
  const tables = useReadyTables();
  const { manifest } = useViewer();
  const clusterings = useViewerState((state) => state.clusterings);
  const reliable = useReliabilities(manifest.genes);
  const choices = useMemo(
    (): readonly TableChoice[] => [
      ...tables,
      ...clusterings.flatMap(({ id, name: ofClustering, groups }) =>
        groups.map(({ name }) => ({
          key: `own:${id}:${name}`,
          name: texts.markersOfOwn(ofClustering, name),
          group: { clustering: id, name },
        })),
      ),
    ],
    [tables, clusterings],
  );
  const choice = choices.find(({ key }) => key === asked) ?? choices[0];
  const group = choice && "group" in choice ? choice.group : undefined;
  const { table: markers, ...own } = useOwnMarkers(
    clusterings.find(({ id }) => id === group?.clustering),
  );
  const ofGroup = useMemo(() => {
    if (!markers || !choice || !("group" in choice)) return null;
    const found = markers.groups.find((one) => one.group === choice.group.name);
    return {
      ...choice,
      chosen: found ? markersOf(found) : [],
      background: manifest.genes.filter((_, at) => reliable[at] === true),
      note: texts.reliableBackground,
    };
  }, [markers, choice, manifest.genes, reliable]);
  if (choice && "group" in choice) return { choices, table: ofGroup, own: ofGroup ? null : own };
  return { choices, table: choice ?? null, own: null };
}

/** The latest comparison, by its thresholds, and the markers of each group of the analysis. */
function useReadyTables(): readonly GeneTable[] {
  const { manifest, store } = useViewer();
  const { result, thresholds } = useStore(comparisonOf(store));
  const statistics = useStatistics();
  const reliable = useReliabilities(manifest.genes);
  return useMemo(() => {
    const tables: GeneTable[] = [];
    if (result) {
      const { genes } = result.table;
      const passing = (side: number) =>
        genes.filter((_, at) => sideOf(result.table, at, thresholds) === side);
      const table = { background: genes, note: null };
      tables.push(
        { key: "up", name: texts.comparisonUp(result.a), chosen: passing(1), ...table },
        { key: "down", name: texts.comparisonDown(result.b), chosen: passing(-1), ...table },
      );
    }
    const background = manifest.genes.filter((_, at) => reliable[at] === true);
    for (const { groupBy, groups } of statistics.data?.markers ?? []) {
      const kind = KINDS[groupBy];
      for (const group of groups) {
        tables.push({
          key: `${kind}:${group.group}`,
          name: texts.markersOf(kind, group.group),
          chosen: markersOf(group),
          background,
          note: texts.reliableBackground,
        });
      }
    }
    return tables;
  }, [result, thresholds, statistics.data, manifest.genes, reliable]);
}
