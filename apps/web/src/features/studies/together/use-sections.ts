import type { AnnotationOf } from "@stipple/contract/annotations";
import { visualizationAnnotations } from "@stipple/contract/routes/annotations";
import {
  loadTissueCells,
  sourceOfFiles,
  type Cells,
  type ViewSource,
} from "@stipple/viewer/source";
import { useQueries } from "@tanstack/react-query";
import { VALUES } from "../../../project/view/query-options.ts";
import { api } from "../../../app/api.ts";
import { viewServer, type ViewServer } from "../../../project/view/view-server.ts";
import type { TypeNames } from "./shared-types.ts";

/** A section that may be shown, and the link to its own view. */
export interface SectionLink {
  projectId: string;
  name: string;
  url: string;
}

/** What is known of a section once its view is open. */
export interface OpenSection extends SectionLink {
  source: ViewSource;
  server: ViewServer;
  /** Which results these are. */
  results: string;
  mayExport: boolean;
  typeNames: TypeNames;
}

export interface Section extends SectionLink {
  /** Undefined until loaded. */
  open: OpenSection | undefined;
  cells: Cells | undefined;
  error: Error | null;
  retry: () => void;
}

/** Opens sections, all at once: their views first, then their cells. */
export function useSections(links: readonly SectionLink[]): Section[] {
  const opened = useQueries({
    queries: links.map((link) => ({
      queryKey: ["section", link.projectId],
      ...VALUES,
      // Reopened at each visit: the sample may have been analyzed again, and its types renamed.
      gcTime: 0,
      queryFn: ({ signal }: { signal: AbortSignal }) => openSection(link, signal),
    })),
  });
  const cells = useQueries({
    queries: links.map(({ projectId }, at) => ({
      queryKey: ["section-cells", projectId, opened[at]?.data?.results],
      enabled: opened[at]?.data !== undefined,
      ...VALUES,
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        loadTissueCells(opened[at]!.data!.source, signal),
    })),
  });
  return links.map((link, at) => ({
    ...link,
    open: opened[at]!.data,
    cells: cells[at]!.data,
    error: opened[at]!.error ?? cells[at]!.error,
    retry: () => void (opened[at]!.error ? opened[at]! : cells[at]!).refetch(),
  }));
}

async function openSection(link: SectionLink, signal: AbortSignal): Promise<OpenSection> {
  const token = link.url.slice(link.url.lastIndexOf("/") + 1);
  const server = viewServer(token);
  const [opened, typeNames] = await Promise.all([
    server.open(signal),
    // Without them, the sections have the names of the analysis.
    typeNamesOf(token, signal).catch((): TypeNames => new Map()),
  ]);
  return {
    ...link,
    server,
    results: opened.results,
    source: sourceOfFiles(opened.manifest, server),
    mayExport: opened.may_export,
    typeNames,
  };
}

/** Names and colors that people gave to the types of a sample. */
async function typeNamesOf(token: string, signal: AbortSignal): Promise<TypeNames> {
  const query = { kind: "name" } as const;
  const { items } = await api(visualizationAnnotations, { params: { token }, query, signal });
  const names = (items as AnnotationOf<"name">[]).flatMap(({ value }) =>
    value.of === "type" ? [value] : [],
  );
  return new Map(names.map(({ group, label, color }) => [group, { name: label, color }]));
}
