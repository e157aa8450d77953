import { useEffect, useMemo, useRef } from "react";
import type { Figure } from "../../plots/figure/figure.ts";
import { FigureTaking, type FigureTaker } from "../../plots/figure/figure-taker.ts";
import { ChosenPlot } from "../../plots/chosen-plot.tsx";

const noGene = (): void => undefined;

/** Makes the plot of a panel's settings, and hands over its figure. */
export function PlotReader({
  part,
  onRead,
  onFailed,
}: {
  part: number;
  onRead: (figure: Figure) => void;
  onFailed: (why: string) => void;
}) {
  const ends = useRef({ onRead, onFailed });
  useEffect(() => {
    ends.current = { onRead, onFailed };
  });
  const taker = useMemo(
    (): FigureTaker => ({
      figure: (figure, at) => at === part && ends.current.onRead(figure),
      message: (text) => ends.current.onFailed(text),
    }),
    [part],
  );
  return (
    <FigureTaking value={taker}>
      <ChosenPlot onGene={noGene} />
    </FigureTaking>
  );
}
