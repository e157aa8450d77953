import { Maximize2 } from "lucide-react";
import { useEffect, useMemo, useState, type ComponentProps } from "react";
import { useStore } from "zustand";
import { Button } from "../../../../components/button.tsx";
import { Dialog } from "../../../../components/dialog.tsx";
import { HelpLink } from "../../../../components/help-link.tsx";
import { ProgressBar } from "../../../../components/progress-bar.tsx";
import { selectionTexts } from "../texts.ts";
import { differentialTexts } from "./texts.ts";
import { useViewer } from "../../state/viewer-context.tsx";
import { CellChoiceSelect } from "../cell-choice-select.tsx";
import { choiceOf, useCellChoices } from "../cell-choices.ts";
import { compare, comparisonNote, comparisonOf } from "./comparison.ts";
import { DifferentialResult } from "./differential-result.tsx";
import { PanelProblem } from "../panel/section.tsx";

const texts = differentialTexts.compare;

/** Differential expression between two sets of cells. */
export function DifferentialPanel() {
  const { server, store } = useViewer();
  const comparison = comparisonOf(store);
  const { a, b, running, failed, result } = useStore(comparison);
  const sections = useCellChoices();
  const first = choiceOf(sections, a);
  const second = choiceOf(sections, b);
  const sides = useMemo(
    () => ({ a: first ? first.cells() : null, b: second ? second.cells() : null }),
    [first, second],
  );
  const note = useMemo(() => comparisonNote(sides.a, sides.b), [sides]);

  function run(): void {
    if (!first || !sides.a) return;
    const other = second && sides.b ? { name: second.name, cells: sides.b } : null;
    void compare(comparison, server, { name: first.name, cells: sides.a }, other);
  }

  return (
    <div className="flex flex-col gap-3">
      <p className="text-[0.8125rem] text-ink-2">
        {texts.intro} <HelpLink page="glossary" section="fdr" />
      </p>
      <CellChoiceSelect
        label={texts.first}
        sections={sections}
        value={a}
        onChange={(key) => comparison.setState({ a: key })}
      />
      <CellChoiceSelect
        label={texts.second}
        sections={sections}
        value={b}
        onChange={(key) => comparison.setState({ b: key })}
        first={selectionTexts.choices.rest}
      />
      {note && (
        <p role="status" className="text-[0.8125rem] text-ink-2">
          {note.text}
        </p>
      )}
      <div className="flex items-center gap-2">
        <Button
          variant="primary"
          busy={running !== null}
          disabled={note?.prevents === true}
          onClick={run}
        >
          {texts.run}
        </Button>
        {running && <Button onClick={running.stop}>{texts.cancel}</Button>}
      </div>
      {running && <ComparisonProgress since={running.since} done={running.done} />}
      <PanelProblem text={failed} />
      {result && <ResultSection comparison={comparison} result={result} />}
    </div>
  );
}

/** The result, which a dialog can show larger. */
function ResultSection({ comparison, result }: ComponentProps<typeof DifferentialResult>) {
  const [large, setLarge] = useState(false);
  const title = texts.result(result.a, result.b);
  return (
    <section aria-label={title} className="flex flex-col gap-2 border-t border-line pt-4">
      <div className="flex items-start justify-between gap-2">
        <h3 className="min-w-0 font-semibold break-words">{title}</h3>
        <Button size="sm" icon={Maximize2} onClick={() => setLarge(true)}>
          {texts.whole}
        </Button>
      </div>
      <DifferentialResult comparison={comparison} result={result} />
      <Dialog
        open={large}
        onClose={() => setLarge(false)}
        title={`${texts.wholeTitle}: ${title}`}
        wide
      >
        <DifferentialResult comparison={comparison} result={result} />
      </Dialog>
    </section>
  );
}

/** The server's progress and the elapsed time. */
function ComparisonProgress({ since, done }: { since: number; done: number | null }) {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setSeconds(Math.floor((Date.now() - since) / 1000)), 500);
    return () => clearInterval(timer);
  }, [since]);
  return (
    <div className="flex flex-col gap-1.5">
      <ProgressBar
        value={done === null ? null : 100 * done}
        label={texts.progress}
        active
        {...(done === null && { valueText: texts.waiting })}
      />
      <span aria-hidden className="text-[0.8125rem] text-ink-2">
        {texts.running(done, seconds)}
      </span>
      <span role="status" className="sr-only">
        {texts.running(null, 0)}
      </span>
    </div>
  );
}
