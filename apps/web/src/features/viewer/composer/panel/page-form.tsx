import {
  MAX_COLUMNS,
  PAGE_MM,
  PANEL_LETTERS,
  PAPER_FONTS,
  TEXT_PT,
} from "@stipple/contract/paper-figure";
import { Choice } from "../../plots/controls/labeled.tsx";
import { PanelSection } from "../../selection/panel/section.tsx";
import { WIDTHS_MM, withLayout, type PaperFigure } from "../figures.ts";
import { composerTexts as texts } from "../texts.ts";
import { NumberEdit, TextEdit } from "./edits.tsx";

const DPI_CHOICES = [150, 300, 600];
const COLUMN_CHOICES = Array.from({ length: MAX_COLUMNS }, (_, at) => at + 1);
const PRESETS = Object.keys(WIDTHS_MM) as (keyof typeof WIDTHS_MM)[];

interface PartProps {
  figure: PaperFigure;
  onChange: (next: PaperFigure) => void;
}

/** Size, grid, and text of a page. */
export function PageForm({ figure, onChange }: PartProps) {
  return (
    <PanelSection title={texts.page}>
      <div className="grid grid-cols-2 items-start gap-x-3 gap-y-2.5">
        <TextEdit
          label={texts.nameOfFigure}
          value={figure.name}
          least={1}
          most={80}
          onChange={(name) => onChange({ ...figure, name })}
        />
        <Fields figure={figure} onChange={onChange} />
      </div>
      <p className="text-xs text-ink-3">{texts.fontHint}</p>
    </PanelSection>
  );
}

function Fields({ figure, onChange }: PartProps) {
  const preset = PRESETS.find((name) => WIDTHS_MM[name] === figure.widthMm) ?? "own";
  const set = (part: Partial<PaperFigure>): void => onChange({ ...figure, ...part });
  const number = (
    of: "widthMm" | "heightMm" | "textPt",
    range: typeof PAGE_MM | typeof TEXT_PT,
  ) => (
    <NumberEdit
      label={texts[of]}
      value={figure[of]}
      range={range}
      onChange={(value) => set({ [of]: value })}
    />
  );
  return (
    <>
      <Choice<keyof typeof texts.presets>
        label={texts.preset}
        value={preset}
        options={[...PRESETS, ...(preset === "own" ? ([preset] as const) : [])]}
        named={(name) => texts.presets[name]}
        onChange={(name) => name !== "own" && set({ widthMm: WIDTHS_MM[name] })}
      />
      {number("widthMm", PAGE_MM)}
      {number("heightMm", PAGE_MM)}
      <Choice
        label={texts.columns}
        value={figure.columns}
        options={COLUMN_CHOICES}
        onChange={(columns) => onChange(withLayout(figure, { columns }))}
      />
      <Choice
        label={texts.dpi}
        value={figure.dpi}
        options={DPI_CHOICES}
        named={texts.dpiChoice}
        onChange={(dpi) => set({ dpi })}
      />
      <Choice
        label={texts.font}
        value={figure.font}
        options={PAPER_FONTS}
        onChange={(font) => set({ font })}
      />
      {number("textPt", TEXT_PT)}
      <Choice
        label={texts.letters}
        value={figure.letters}
        options={PANEL_LETTERS}
        named={(letters) => texts.letterChoices[letters]}
        onChange={(letters) => set({ letters })}
      />
    </>
  );
}
