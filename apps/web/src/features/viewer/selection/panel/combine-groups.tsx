import { useMemo, useState } from "react";
import { Button } from "../../../../components/button.tsx";
import { selectionTexts } from "../texts.ts";
import { useViewer } from "../../state/viewer-context.tsx";
import { CellChoiceSelect } from "../cell-choice-select.tsx";
import { choiceOf, useCellChoices } from "../cell-choices.ts";
import { difference, intersection, union, type CellSet } from "@stipple/viewer/cells";
import { setSelection } from "../selection-actions.ts";

const texts = selectionTexts.groups;

const WAYS = { union, intersection, difference } as const satisfies Record<
  string,
  (a: CellSet, b: CellSet) => CellSet
>;
type Way = keyof typeof WAYS;

/** Selects the union, intersection, or difference of two sets of cells. */
export function CombineGroups() {
  const { store } = useViewer();
  const sections = useCellChoices();
  const [first, setFirst] = useState("");
  const [second, setSecond] = useState("");
  const [way, setWay] = useState<Way>("union");
  const a = choiceOf(sections, first);
  const b = choiceOf(sections, second);
  const result = useMemo(() => a && b && WAYS[way](a.cells(), b.cells()), [a, b, way]);
  return (
    <details>
      <summary className="w-fit rounded py-1 text-[0.8125rem] font-medium text-primary">
        {texts.combine}
      </summary>
      <div className="mt-1 flex flex-col gap-2 rounded-control bg-raised p-3">
        <CellChoiceSelect
          label={texts.first}
          sections={sections}
          value={first}
          onChange={setFirst}
        />
        <select
          aria-label={texts.how}
          value={way}
          onChange={(event) => setWay(event.target.value as Way)}
          className="h-9 rounded-control border border-line-input bg-card px-3 text-ink"
        >
          {(Object.keys(WAYS) as Way[]).map((name) => (
            <option key={name} value={name}>
              {texts.ways[name]}
            </option>
          ))}
        </select>
        <CellChoiceSelect
          label={texts.second}
          sections={sections}
          value={second}
          onChange={setSecond}
        />
        <div className="flex items-center justify-between gap-2">
          <span role="status" className="text-[0.8125rem] text-ink-2">
            {result && texts.result(result.count)}
          </span>
          <Button
            size="sm"
            disabled={!result || result.count === 0}
            onClick={() => result && setSelection(store, result)}
          >
            {texts.select}
          </Button>
        </div>
      </div>
    </details>
  );
}
