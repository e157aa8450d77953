import {
  MOST_COLUMNS,
  PAGE_MM,
  PANEL_LETTERS,
  PAPER_FONTS,
  TEXT_PT,
} from "@stipple/contract/paper-figure";
import { LabeledSelect } from "../../plots/controls/labeled.tsx";
import { PanelSection } from "../../selection/panel/section.tsx";
import { WIDTHS_MM, withLayout, type PaperFigure } from "../figures.ts";
import { composerTexts as texts } from "../texts.ts";
import { NumberEdit, TextEdit } from "./edits.tsx";

const DPI_CHOICES = [150, 300, 600] as const;
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
        <SizeFields figure={figure} onChange={onChange} />
        <TextFields figure={figure} onChange={onChange} />
      </div>
      <p className="text-xs text-ink-3">{texts.fontHint}</p>
    </PanelSection>
  );
}

function SizeFields({ figure, onChange }: PartProps) {
  const preset = PRESETS.find((name) => WIDTHS_MM[name] === figure.widthMm) ?? "own";
  return (
    <>
      <LabeledSelect
        label={texts.preset}
        value={preset}
        onChange={(name) =>
          name !== "own" &&
          onChange({ ...figure, widthMm: WIDTHS_MM[name as keyof typeof WIDTHS_MM] })
        }
      >
        {PRESETS.map((name) => (
          <option key={name} value={name}>
            {texts.presets[name]}
          </option>
        ))}
        {preset === "own" && <option value="own">{texts.presets.own}</option>}
      </LabeledSelect>
      <NumberEdit
        label={texts.widthMm}
        value={figure.widthMm}
        range={PAGE_MM}
        onChange={(widthMm) => onChange({ ...figure, widthMm })}
      />
      <NumberEdit
        label={texts.heightMm}
        value={figure.heightMm}
        range={PAGE_MM}
        onChange={(heightMm) => onChange({ ...figure, heightMm })}
      />
      <LabeledSelect
        label={texts.columns}
        value={figure.columns}
        onChange={(columns) => onChange(withLayout(figure, { columns: Number(columns) }))}
      >
        {Array.from({ length: MOST_COLUMNS }, (_, at) => (
          <option key={at}>{at + 1}</option>
        ))}
      </LabeledSelect>
      <LabeledSelect
        label={texts.dpi}
        value={figure.dpi}
        onChange={(dpi) => onChange({ ...figure, dpi: Number(dpi) })}
      >
        {DPI_CHOICES.map((dpi) => (
          <option key={dpi} value={dpi}>
            {texts.dpiChoice(dpi)}
          </option>
        ))}
      </LabeledSelect>
    </>
  );
}

function TextFields({ figure, onChange }: PartProps) {
  return (
    <>
      <LabeledSelect
        label={texts.font}
        value={figure.font}
        onChange={(font) => onChange({ ...figure, font: font as PaperFigure["font"] })}
      >
        {PAPER_FONTS.map((font) => (
          <option key={font}>{font}</option>
        ))}
      </LabeledSelect>
      <NumberEdit
        label={texts.textPt}
        value={figure.textPt}
        range={TEXT_PT}
        onChange={(textPt) => onChange({ ...figure, textPt })}
      />
      <LabeledSelect
        label={texts.letters}
        value={figure.letters}
        onChange={(letters) => onChange({ ...figure, letters: letters as PaperFigure["letters"] })}
      >
        {PANEL_LETTERS.map((letters) => (
          <option key={letters} value={letters}>
            {texts.letterChoices[letters]}
          </option>
        ))}
      </LabeledSelect>
    </>
  );
}
