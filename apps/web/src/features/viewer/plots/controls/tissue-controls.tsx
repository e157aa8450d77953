import { plotTexts } from "../texts.ts";
import { usePlotSettings, type TissuePlot } from "../plot-settings.ts";
import { useGroupLooks } from "../use-group-looks.ts";
import { useStatistics } from "../use-statistics.ts";
import { LabeledCheckbox, LabeledSelect } from "./labeled.tsx";

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
  return (
    <LabeledSelect
      label={plotTexts.coOccurrence.around}
      value={aroundType ?? types[0] ?? ""}
      onChange={(next) => set({ aroundType: next })}
    >
      <TypeOptions types={types} />
    </LabeledSelect>
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
  const texts = plotTexts.ligands;
  return (
    <>
      <div className="grid grid-cols-2 gap-3">
        <LabeledSelect
          label={texts.sender}
          value={sender ?? ""}
          onChange={(next) => set({ sender: next || null })}
        >
          <option value="">{texts.anyType}</option>
          <TypeOptions types={senders} />
        </LabeledSelect>
        <LabeledSelect
          label={texts.receiver}
          value={receiver ?? ""}
          onChange={(next) => set({ receiver: next || null })}
        >
          <option value="">{texts.anyType}</option>
          <TypeOptions types={receivers} />
        </LabeledSelect>
      </div>
      <LabeledSelect
        inline
        label={texts.mostPairs}
        value={mostPairs}
        onChange={(next) => set({ mostPairs: Number(next) })}
      >
        {[10, 20, 40].map((n) => (
          <option key={n}>{n}</option>
        ))}
      </LabeledSelect>
      <LabeledCheckbox
        label={texts.significantOnly}
        checked={significantOnly}
        onChange={(next) => set({ significantOnly: next })}
      />
    </>
  );
}

function GeneCount({ all }: { all: number }) {
  const [{ mostGenes }, set] = usePlotSettings();
  return (
    <LabeledSelect
      inline
      label={plotTexts.moran.most}
      value={mostGenes}
      onChange={(next) => set({ mostGenes: Number(next) })}
    >
      {[15, 30, 60].map((n) => (
        <option key={n} value={n}>
          {Math.min(n, all)}
        </option>
      ))}
    </LabeledSelect>
  );
}

function TypeOptions({ types }: { types: readonly string[] }) {
  const lookOf = useGroupLooks("type");
  return types.map((type) => (
    <option key={type} value={type}>
      {lookOf(type).name}
    </option>
  ));
}
