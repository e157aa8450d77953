import { MousePointerClick } from "lucide-react";
import { useDeferredValue, useMemo, useState } from "react";
import { selectionTexts } from "../texts.ts";
import { viewerTexts } from "../../texts.ts";
import { groupsOf, shownGroups } from "../../state/shown-groups.ts";
import { GROUPINGS, type Grouping } from "@stipple/viewer/choices";
import { SaveFigure } from "../../plots/figure/save-figure.tsx";
import { useViewer, useViewerState } from "../../state/viewer-context.tsx";
import { CellChoiceSelect } from "../cell-choice-select.tsx";
import { cellsOfGroup, choiceOf, useCellChoices } from "../cell-choices.ts";
import { intersection, type CellSet } from "@stipple/viewer/cells";
import { setSelection } from "../selection-actions.ts";
import { composition, type GroupShare } from "./composition.ts";
import { PanelSection } from "./section.tsx";
import { Options } from "../../../../components/field.tsx";

const texts = selectionTexts.composition;
const FIRST_SHOWN = 8;
const percent = (share: number): string => `${(100 * share).toFixed(1)}%`;

/** Each group's share of the selection, next to its share of all cells or of another set. */
export function CompositionSection({ selection }: { selection: CellSet }) {
  const { manifest, cells, store } = useViewer();
  const [asked, setOf] = useState<Grouping>("type");
  // One's own clusters may have been removed since.
  const of = groupsOf(manifest, asked).length > 0 ? asked : "type";
  const edits = useViewerState((state) => state.edits[of]);
  const shown = useDeferredValue(selection);
  const column = cells[of]!;
  const sections = useCellChoices().filter(
    ({ label }) => label !== selectionTexts.choices.selection,
  );
  const [key, setKey] = useState("");
  const other = choiceOf(sections, key) ?? null;
  const compared = useMemo(() => other && other.cells(), [other]);
  const shares = useMemo(
    () => composition(column, shownGroups(manifest, of, edits), shown, texts.none, compared),
    [column, manifest, of, edits, shown, compared],
  );
  const pick = ({ index }: GroupShare) =>
    setSelection(store, intersection(selection, cellsOfGroup(column, of, index)));
  return (
    <PanelSection
      title={texts.title}
      aside={
        <select
          aria-label={texts.by}
          value={of}
          onChange={(event) => setOf(event.target.value as Grouping)}
          className="h-8 rounded-control border border-line-input bg-card px-2 text-[0.8125rem]"
        >
          <Options
            of={GROUPINGS.filter((kind) => groupsOf(manifest, kind).length > 0).map((kind) => [
              kind,
              viewerTexts.groupings[kind],
            ])}
          />
        </select>
      }
    >
      <CellChoiceSelect
        label={texts.against}
        sections={sections}
        value={key}
        onChange={setKey}
        first={texts.overall}
      />
      <ShareTable shares={shares} other={other?.name ?? null} onPick={pick} />
      <p className="text-xs text-ink-3">{texts.legend(other?.name ?? texts.amongAll)}</p>
      <SaveFigure
        name={texts.title}
        figure={async () => {
          const { compositionFigure } = await import("./composition-figure.ts");
          return compositionFigure(shares, shown.count, other?.name ?? null);
        }}
      />
    </PanelSection>
  );
}

/** The groups with their shares; choosing one keeps only its cells selected. */
function ShareTable({
  shares,
  other,
  onPick,
}: {
  shares: readonly GroupShare[];
  /** What the selection is compared with; null: all cells. */
  other: string | null;
  onPick: (share: GroupShare) => void;
}) {
  const [all, setAll] = useState(false);
  const widest = Math.max(...shares.map(({ within, overall }) => Math.max(within, overall)));
  const more = shares.length - FIRST_SHOWN;
  return (
    <>
      <table className="w-full table-fixed text-[0.8125rem]">
        <caption className="sr-only">{texts.caption(other ?? texts.amongAll)}</caption>
        <thead>
          <tr className="text-xs text-ink-3">
            <th scope="col" className="pb-1 text-left font-medium">
              {texts.group}
            </th>
            <th scope="col" className="w-14 pb-1 text-right font-medium">
              {texts.cells}
            </th>
            <th scope="col" className="w-16 pb-1 text-right font-medium">
              {texts.within}
            </th>
            <th scope="col" className="w-16 truncate pb-1 pl-1 text-right font-medium">
              {other ?? texts.overall}
            </th>
          </tr>
        </thead>
        <tbody>
          {shares.slice(0, all ? undefined : FIRST_SHOWN).map((share) => (
            <tr key={share.index} className="align-top">
              <th scope="row" className="pb-2 text-left font-normal">
                {share.index < 0 || share.count === 0 ? (
                  <span className="block truncate">{share.name}</span>
                ) : (
                  <button
                    type="button"
                    title={selectionTexts.keepOnly(share.name)}
                    onClick={() => onPick(share)}
                    className="group flex w-full items-center gap-1 text-left hover:underline"
                  >
                    <span className="truncate">{share.name}</span>
                    <MousePointerClick
                      aria-hidden
                      className="size-3 shrink-0 text-ink-3 opacity-0 group-hover:opacity-100 group-focus-visible:opacity-100"
                    />
                  </button>
                )}
                <Bar share={share} widest={widest} />
              </th>
              <td className="pb-2 text-right tabular-nums">
                {share.count.toLocaleString("en-US")}
              </td>
              <td className="pb-2 text-right tabular-nums">{percent(share.within)}</td>
              <td className="pb-2 text-right text-ink-3 tabular-nums">{percent(share.overall)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {more > 0 && (
        <button
          type="button"
          aria-expanded={all}
          onClick={() => setAll(!all)}
          className="self-start rounded text-[0.8125rem] font-medium text-primary"
        >
          {all ? texts.fewer : texts.more(more)}
        </button>
      )}
    </>
  );
}

/** A bar for the share of the selection, with a line at the share of what it is compared with. */
function Bar({ share, widest }: { share: GroupShare; widest: number }) {
  return (
    <span aria-hidden className="relative mt-1 block h-2 rounded-sm bg-raised">
      <span
        className="absolute inset-y-0 left-0 rounded-sm"
        style={{
          width: `${(100 * share.within) / widest}%`,
          backgroundColor: share.color ?? "var(--color-missing)",
        }}
      />
      <span
        className="absolute -inset-y-0.5 w-0.5 bg-ink outline outline-card"
        style={{ left: `calc(${(100 * share.overall) / widest}% - 1px)` }}
      />
    </span>
  );
}
