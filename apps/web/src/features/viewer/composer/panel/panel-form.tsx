import { LEGEND_PLACES, MAX_COLUMNS, MAX_ROWS_OF_PANEL } from "@stipple/contract/paper-figure";
import {
  ArrowLeft,
  ArrowRight,
  ChevronsDownUp,
  ChevronsLeftRight,
  ChevronsRightLeft,
  ChevronsUpDown,
  Trash2,
  type LucideIcon,
} from "lucide-react";
import { Checkbox } from "../../../../components/checkbox.tsx";
import { IconButton } from "../../../../components/icon-button.tsx";
import { Choice } from "../../plots/controls/labeled.tsx";
import { PanelSection } from "../../selection/panel/section.tsx";
import {
  lettersOf,
  withMoved,
  withoutPanel,
  withPanel,
  type FigurePanel,
  type PaperFigure,
} from "../figures.ts";
import { composerTexts as texts } from "../texts.ts";
import { TextEdit } from "./edits.tsx";

interface PanelFormProps {
  figure: PaperFigure;
  panel: FigurePanel;
  onChange: (next: PaperFigure) => void;
}

/** Place, size, and labels of one panel. */
export function PanelForm(props: PanelFormProps) {
  const { figure, panel, onChange } = props;
  const { id, drawing, legend } = panel;
  const set = (part: Partial<FigurePanel>): void => onChange(withPanel(figure, id, part));
  return (
    <PanelSection
      title={texts.panel(lettersOf(figure).get(id) ?? "")}
      aside={<PlaceButtons {...props} />}
    >
      <div className="grid grid-cols-2 items-end gap-x-3 gap-y-2.5">
        <TextEdit
          label={texts.panelTitle}
          value={panel.title}
          most={200}
          onChange={(title) => set({ title })}
        />
        {drawing.kind === "plot" ? (
          <Checkbox
            checked={legend !== "none"}
            onCheck={(isShown) => set({ legend: isShown ? "below" : "none" })}
          >
            {texts.legend}
          </Checkbox>
        ) : (
          <Choice
            label={texts.legend}
            value={legend}
            options={LEGEND_PLACES}
            named={(place) => texts.legendPlaces[place]}
            onChange={(place) => set({ legend: place })}
          />
        )}
        {drawing.kind === "view" && drawing.of === "tissue" && (
          <Checkbox checked={panel.scaleBar} onCheck={(scaleBar) => set({ scaleBar })}>
            {texts.scaleBar}
          </Checkbox>
        )}
      </div>
    </PanelSection>
  );
}

/** Moves, resizes, and removes a panel; by keyboard as by pointer. */
function PlaceButtons({ figure, panel: { id, columns, rows }, onChange }: PanelFormProps) {
  const sized = (part: Partial<FigurePanel>): PaperFigure => withPanel(figure, id, part);
  const at = figure.panels.findIndex((panel) => panel.id === id);
  const most = Math.min(MAX_COLUMNS, figure.columns);
  const wide = Math.min(most, columns);
  const buttons: readonly [LucideIcon, string, PaperFigure | null][] = [
    [ArrowLeft, texts.earlier, at > 0 ? withMoved(figure, id, -1) : null],
    [ArrowRight, texts.later, at < figure.panels.length - 1 ? withMoved(figure, id, 1) : null],
    [ChevronsRightLeft, texts.narrower, wide > 1 ? sized({ columns: wide - 1 }) : null],
    [ChevronsLeftRight, texts.wider, wide < most ? sized({ columns: wide + 1 }) : null],
    [ChevronsDownUp, texts.lower, rows > 1 ? sized({ rows: rows - 1 }) : null],
    [ChevronsUpDown, texts.higher, rows < MAX_ROWS_OF_PANEL ? sized({ rows: rows + 1 }) : null],
    [Trash2, texts.removePanel, withoutPanel(figure, id)],
  ];
  return (
    <span className="flex">
      {buttons.map(([icon, label, next]) => (
        <IconButton
          key={label}
          icon={icon}
          label={label}
          disabled={next === null}
          keepsFocus
          onClick={() => next && onChange(next)}
        />
      ))}
    </span>
  );
}
