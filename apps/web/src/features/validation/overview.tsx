import { StatusPill } from "../../components/status-pill.tsx";
import { OWN_FIGURES } from "./own-figures.ts";
import { VALIDATION_FIGURES } from "../../app/validation-figures.ts";
import { VALIDATION_TEXTS as TEXTS } from "./texts.ts";
import {
  ACCURACY,
  figure,
  MEASURED,
  measure,
  method,
  nuclei,
  range,
  REAL,
  tissue,
} from "./measured.ts";
import { Origin } from "./origin.tsx";

/** What the figures of the study mean, and what they don't; kept apart so that the landing page does not load it. */
const VALIDATION_MEANINGS: Readonly<
  Record<(typeof VALIDATION_FIGURES)[number]["id"], { meaning: string; caveat: string }>
> = {
  expression: {
    meaning:
      "How well inferred expression agrees with imaging of the same tissue: the correlation over the 306 genes both measured. 1 is perfect agreement, 0 is none.",
    caveat:
      "A moderate agreement. The two technologies differ in sensitivity, so even flawless measurements would not reach 1.",
  },
  detection: {
    meaning:
      "How well detected cells agree with the imaging-based reference, again as a correlation (1 is perfect agreement).",
    caveat: "It measures cell detection, not cell types.",
  },
  cells: {
    meaning:
      "How many cells were detected for each cell detected by the comparison method in the same study.",
    caveat: "More cells aren't necessarily better cells; read this together with the correlations.",
  },
};
const visium = tissue("human-1");
const hd = tissue("hd8-1");
const rate = method(visium, "rate").variable;
const hdRate = method(hd, "rate").variable;
const types = measure(visium, "typingF1");
const breast = nuclei("he-breast");
const fluorescence = nuclei("fluorescence");
const { visium: spots, hd8: bins } = REAL.captures;
const ofOthers = REAL.byOthers;

/** A card of real data: measured once, without seeds. */
function real<Words extends object>(words: Words, value: number, meaning: string) {
  return { ...words, value: figure(value), range: "", seeds: null, meaning };
}

const { spotTypes, binTypes, measuredRates, binRates } = OWN_FIGURES;

/** Text of the cards, with figures from the files filled in. */
const OWN = [
  real(
    spotTypes,
    spots.names.accuracy,
    spotTypes.meaning(figure(spots.names.wrong), figure(spots.byTrueMix.accuracy)),
  ),
  real(
    binTypes,
    bins.names.accuracy,
    binTypes.meaning(figure(bins.names.wrong), figure(REAL.withReference.hd8.names.accuracy)),
  ),
  real(
    measuredRates,
    ofOthers.visium.rates.rate[0]!,
    measuredRates.meaning(
      figure(ofOthers.visium.rates["nearest spot or bin"][0]!),
      figure(ofOthers.visium.rates["true types fitted"][0]!),
    ),
  ),
  real(
    binRates,
    ofOthers.hd8.rates.rate[0]!,
    binRates.meaning(
      figure(ofOthers.hd8.rates["nearest spot or bin"][0]!),
      figure(ofOthers.hd8.rates.interpolated[0]!),
    ),
  ),
  {
    ...real(OWN_FIGURES.nuclei, breast.f1, OWN_FIGURES.nuclei.meaning),
    tissue: OWN_FIGURES.nuclei.tissue(breast.images, breast.nuclei),
  },
  {
    ...real(
      OWN_FIGURES.fluorescence,
      fluorescence.f1,
      OWN_FIGURES.fluorescence.meaning(figure(nuclei("purple-gray").recall)),
    ),
    tissue: OWN_FIGURES.fluorescence.tissue(fluorescence.images, fluorescence.nuclei),
  },
  {
    ...OWN_FIGURES.expression,
    value: figure(rate.mean),
    range: range(rate),
    meaning: OWN_FIGURES.expression.meaning(
      figure(method(visium, "interpolation").variable.mean),
      figure(method(visium, "typesFitted").variable.mean),
    ),
    tissue: visium.name,
    seeds: visium.seeds.join(", "),
  },
  {
    ...OWN_FIGURES.hd,
    value: figure(hdRate.mean),
    range: range(hdRate),
    meaning: OWN_FIGURES.hd.meaning(
      figure(method(hd, "interpolation").variable.mean),
      figure(method(hd, "typesFitted").variable.mean),
    ),
    tissue: hd.name,
    seeds: hd.seeds.join(", "),
  },
  {
    ...OWN_FIGURES.types,
    value: figure(types.mean),
    range: range(types),
    meaning: OWN_FIGURES.types.meaning(figure(measure(tissue("human-0"), "typingF1").mean)),
    tissue: visium.name,
    seeds: visium.seeds.join(", "),
  },
];

/** The three published figures in plain words, and our own, each with the way it was measured. */
export function Overview() {
  return (
    <>
      <Origin kind="published">
        <ul className="grid gap-4 lg:grid-cols-3">
          {VALIDATION_FIGURES.map(({ id, value, label }) => (
            <li key={id} className="flex flex-col rounded-card border border-line bg-card p-6">
              <p className="text-base font-medium">
                <span className="mb-2 block text-5xl font-semibold tracking-tight text-primary">
                  {value}{" "}
                </span>
                {label}
              </p>
              <p className="mt-3 text-[0.9375rem] leading-6 text-ink-2">
                {VALIDATION_MEANINGS[id].meaning}
              </p>
              <p className="mt-auto pt-4 text-ink-3">
                <span className="font-medium text-ink-2">{TEXTS.caveat}: </span>
                {VALIDATION_MEANINGS[id].caveat}
              </p>
            </li>
          ))}
        </ul>
      </Origin>
      <Origin kind="ours">
        <ul className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
          {OWN.map((card) => (
            <li
              key={card.label}
              className="flex min-w-0 flex-col rounded-card border border-line bg-card p-6"
            >
              <div className="flex items-start justify-between gap-3">
                <p className="text-4xl font-semibold tracking-tight tabular-nums">{card.value}</p>
                <StatusPill tone={card.real ? "ok" : "info"}>
                  {card.real ? TEXTS.realData : TEXTS.simulated}
                </StatusPill>
              </div>
              <p className="mt-1 min-h-5 text-[0.8125rem] text-ink-3">
                {card.range && TEXTS.overSeeds(card.range)}
              </p>
              <h3 className="mt-1 text-base">{card.label}</h3>
              <p className="mt-2 text-[0.9375rem] leading-6 text-ink-2">{card.meaning}</p>
              <dl className="mt-auto grid grid-cols-[4.5rem_1fr] gap-x-3 gap-y-1 pt-5 text-[0.8125rem] leading-5">
                {[
                  [TEXTS.tissue, card.tissue],
                  [TEXTS.seeds, card.seeds],
                  [TEXTS.measure, card.measure],
                ].map(
                  ([term, text]) =>
                    text && (
                      <div key={term} className="contents">
                        <dt className="text-ink-3">{term}</dt>
                        <dd className="text-ink-2">{text}</dd>
                      </div>
                    ),
                )}
                <dt className="text-ink-3">{TEXTS.command}</dt>
                <dd className="font-mono text-xs leading-5 break-words">{card.command}</dd>
              </dl>
            </li>
          ))}
        </ul>
        <p className="text-[0.8125rem] text-ink-3">
          {TEXTS.ownNote(ACCURACY.tissues.length, MEASURED.nuclei.length)}
        </p>
      </Origin>
    </>
  );
}
