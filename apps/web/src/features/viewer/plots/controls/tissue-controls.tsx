import { Checkbox } from "../../../../components/checkbox.tsx";
import { plotTexts } from "../texts.ts";
import { usePlotSettings, type TissuePlot } from "../plot-settings.ts";
import { useGroupLooks } from "../use-group-looks.ts";
import { useStatistics } from "../use-statistics.ts";
import { Choice } from "./labeled.tsx";

/** Options for a result of the advanced analysis; renders nothing if there is none. */
export function TissueControls({ plot }: { plot: TissuePlot }) {
  const spatial = useStatistics().data?.spatial;
  if (!spatial) return null;
  if (plot === "coOccurrence" && spatial.coOccurrence)
    return <AroundType types={spatial.coOccurrence.types} />;
  if (plot === "ligands" && spatial.ligandReceptor) {
    const { sender, receiver } = spatial.ligandReceptor;
    return <PairChoices senders={[...new Set(sender)]} receivers={[...new Set(receiver)]} />;
  }
  return plot === "moran" && spatial.moran ? <GeneCount all={spatial.moran.genes.length} /> : null;
}

function AroundType({ types }: { types: readonly string[] }) {
  const [{ aroundType }, set] = usePlotSettings();
  const lookOf = useGroupLooks("type");
  return (
    <Choice
      label={plotTexts.coOccurrence.around}
      value={aroundType ?? types[0] ?? ""}
      options={types}
      named={(type) => lookOf(type).name}
      onChange={(next) => set({ aroundType: next })}
    />
  );
}

function PairChoices({
  senders,
  receivers,
}: {
  senders: readonly string[];
  receivers: readonly string[];
}) {
  const [{ sender, receiver, significantOnly, mostPairs }, set] = usePlotSettings();
  const lookOf = useGroupLooks("type");
  const texts = plotTexts.ligands;
  const nameOf = (type: string): string => (type ? lookOf(type).name : texts.anyType);
  return (
    <>
      <div className="grid grid-cols-2 gap-3">
        <Choice
          label={texts.sender}
          value={sender ?? ""}
          options={["", ...senders]}
          named={nameOf}
          onChange={(next) => set({ sender: next || null })}
        />
        <Choice
          label={texts.receiver}
          value={receiver ?? ""}
          options={["", ...receivers]}
          named={nameOf}
          onChange={(next) => set({ receiver: next || null })}
        />
      </div>
      <Choice
        inline
        label={texts.mostPairs}
        value={mostPairs}
        options={[10, 20, 40]}
        onChange={(next) => set({ mostPairs: next })}
      />
      <Checkbox checked={significantOnly} onCheck={(next) => set({ significantOnly: next })}>
        {texts.significantOnly}
      </Checkbox>
    </>
  );
}

function GeneCount({ all }: { all: number }) {
  const [{ mostGenes }, set] = usePlotSettings();
  return (
    <Choice
      inline
      label={plotTexts.moran.most}
      value={mostGenes}
      options={[15, 30, 60]}
      named={(n) => `${Math.min(n, all)}`}
      onChange={(next) => set({ mostGenes: next })}
    />
  );
}
