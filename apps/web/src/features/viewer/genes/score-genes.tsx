import { MAX_SCORE_GENES } from "@stipple/contract/routes/visualization";
import { useState } from "react";
import { Button } from "../../../components/button.tsx";
import { viewerTexts } from "../texts.ts";
import { useViewer, useViewerState } from "../state/viewer-context.tsx";
import { GeneChips } from "./gene-chips.tsx";
import { genesInText } from "../../../project/view/match-genes.ts";

/** The genes of a score, pasted or typed, reporting those missing from the sample. */
export function ScoreGenes() {
  const { manifest, store } = useViewer();
  const genes = useViewerState((state) => state.scoreGenes);
  const [text, setText] = useState("");
  const [unknown, setUnknown] = useState<readonly string[]>([]);
  const [leftOut, setLeftOut] = useState<readonly string[]>([]);

  function add(): void {
    const found = genesInText(text, manifest.genes);
    const next = [...new Set([...genes, ...found.known])];
    store.setState({ scoreGenes: next.slice(0, MAX_SCORE_GENES) });
    setUnknown(found.unknown);
    setLeftOut(next.slice(MAX_SCORE_GENES));
    setText("");
  }

  return (
    <div className="flex flex-col gap-2">
      <label className="block">
        <span className="mb-1 block text-[0.8125rem] text-ink-2">{viewerTexts.scoreGenes}</span>
        <textarea
          rows={2}
          value={text}
          spellCheck={false}
          placeholder={viewerTexts.scorePlaceholder}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== "Enter" || event.shiftKey) return;
            event.preventDefault();
            add();
          }}
          className="w-full resize-y rounded-control border border-line-input bg-card px-3 py-2 text-ink placeholder:text-ink-3"
        />
      </label>
      <Button size="sm" disabled={text.trim() === ""} onClick={add}>
        {viewerTexts.scoreAdd}
      </Button>
      {(unknown.length > 0 || leftOut.length > 0) && (
        <p role="status" className="text-[0.8125rem] text-warn">
          {unknown.length > 0 && viewerTexts.scoreUnknown(unknown)}{" "}
          {leftOut.length > 0 && viewerTexts.scoreLeftOut(MAX_SCORE_GENES, leftOut)}
        </p>
      )}
      <GeneChips genes={genes} onChange={(scoreGenes) => store.setState({ scoreGenes })} />
    </div>
  );
}
