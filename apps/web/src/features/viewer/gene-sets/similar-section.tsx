import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "../../../components/button.tsx";
import { Skeleton } from "../../../components/skeleton.tsx";
import { errorText } from "../../../app/api.ts";
import { useReliabilities } from "../data/use-reliability.ts";
import type { GeneLayer } from "../../../project/view/view-server.ts";
import { GeneSearch } from "../genes/gene-search.tsx";
import { LayerChoice } from "../genes/layer-choice.tsx";
import { PanelProblem, PanelSection } from "../selection/panel/section.tsx";
import { viewerTexts } from "../texts.ts";
import { useViewer, useViewerState } from "../state/viewer-context.tsx";
import { addLists } from "./edit-lists.ts";
import { geneSetTexts as texts } from "./texts.ts";

/** Genes whose values correlate with those of one gene. */
export function SimilarSection() {
  const { server, projectId, store } = useViewer();
  const coloring = useViewerState((state) => state.gene);
  const [chosen, setChosen] = useState<string | null>(coloring);
  const [layer, setLayer] = useState<GeneLayer>("rate");
  const [asked, setAsked] = useState<{ gene: string; layer: GeneLayer } | null>(null);
  const { data, error, isLoading } = useQuery({
    queryKey: ["viewer-similar", projectId, asked?.gene, asked?.layer],
    enabled: asked !== null,
    staleTime: Infinity,
    queryFn: ({ signal }) => server.similarGenes(asked!.gene, asked!.layer, signal),
  });
  return (
    <PanelSection title={texts.similar}>
      <p className="text-xs text-ink-3">{texts.similarHint}</p>
      <GeneSearch label={texts.gene} value={chosen} onChange={setChosen} />
      <LayerChoice value={layer} onChange={setLayer} />
      <Button
        size="sm"
        busy={isLoading}
        disabled={chosen === null}
        onClick={() => chosen !== null && setAsked({ gene: chosen, layer })}
      >
        {texts.find}
      </Button>
      {isLoading && (
        <div role="status">
          <span className="sr-only">{texts.finding}</span>
          <Skeleton className="h-40" />
        </div>
      )}
      <PanelProblem text={error && texts.similarFailed(errorText(error, viewerTexts.noAnswer))} />
      {data && asked && (
        <>
          <p role="status" className="text-[0.8125rem] text-ink-2">
            {texts.overCells(data.cells)}
          </p>
          <SimilarList genes={data.genes} />
          <Button
            size="sm"
            onClick={() =>
              addLists(store, [
                {
                  name: texts.likeName(asked.gene),
                  genes: [asked.gene, ...data.genes.map(({ gene }) => gene)],
                },
              ])
            }
          >
            {texts.keep}
          </Button>
        </>
      )}
    </PanelSection>
  );
}

function SimilarList({ genes }: { genes: readonly { gene: string; correlation: number }[] }) {
  const { store } = useViewer();
  const coloring = useViewerState((state) => (state.colorBy === "gene" ? state.gene : null));
  const reliable = useReliabilities(genes.map(({ gene }) => gene));
  return (
    <ol aria-label={texts.similar} className="-mx-2 max-h-72 overflow-y-auto">
      {genes.map(({ gene, correlation }, at) => (
        <li key={gene}>
          <button
            type="button"
            title={viewerTexts.colorByGene(gene)}
            aria-pressed={gene === coloring}
            onClick={() => store.setState({ colorBy: "gene", gene })}
            className="flex w-full items-center gap-2 rounded-control px-2 py-1 text-left text-[0.8125rem] hover:bg-raised aria-pressed:bg-primary-tint aria-pressed:text-primary"
          >
            <span className="min-w-0 flex-1 truncate">{gene}</span>
            {reliable[at] === false && (
              <span title={viewerTexts.unreliableInShort} className="text-warn">
                <span aria-hidden>{viewerTexts.unreliableSign}</span>
                <span className="sr-only">{viewerTexts.unreliableInShort}</span>
              </span>
            )}
            <span className="tabular-nums">{correlation.toFixed(2)}</span>
          </button>
        </li>
      ))}
    </ol>
  );
}
