import { ArrowRight } from "lucide-react";
import { Link } from "wouter";
import { ButtonLink } from "../../../components/button.tsx";
import { HOME_TEXTS, OWN_LABELS, type OwnFigure } from "./texts.ts";
import { VALIDATION_FIGURES } from "../../../app/validation-figures.ts";
import { Section } from "../section.tsx";
import headline from "../../../../../../docs/headline.json";

const percent = (share: number): string => `${Math.round(100 * share)}%`;
const correlation = (r: number): string => r.toFixed(2);
/** Our own figures next to the claims, as the benchmarks wrote them. */
const OWN_FIGURES: Readonly<Record<OwnFigure, { value: string; label: string }>> = {
  expression: {
    value: correlation(headline.rate),
    label: OWN_LABELS.expression(correlation(headline.interpolation)),
  },
  types: {
    value: percent(headline.types),
    label: OWN_LABELS.types(percent(headline.typesOfBins)),
  },
  section: {
    value: correlation(headline.section),
    label: OWN_LABELS.section(correlation(headline.sectionNearest)),
  },
  nuclei: {
    value: correlation(headline.nuclei),
    label: OWN_LABELS.nuclei(String(headline.nucleiImages)),
  },
  found: {
    value: `${headline.foundForEach.toFixed(2)}x`,
    label: OWN_LABELS.found(percent(headline.foundRight)),
  },
};

/** For each figure of the study, our closest measurement. */
const OWN = {
  expression: "section",
  detection: "nuclei",
  cells: "found",
} as const satisfies Record<(typeof VALIDATION_FIGURES)[number]["id"], OwnFigure>;

/** Our figures that no figure of the study corresponds to. */
const ALSO = ["types", "expression"] as const satisfies readonly OwnFigure[];

/** The study's figures, each with our own next to it at the same size, and other figures of our own. */
export function ValidationTeaser() {
  return (
    <Section tinted title={HOME_TEXTS.validationTitle} text={HOME_TEXTS.validationText}>
      <ul className="grid gap-10 lg:grid-cols-3 lg:gap-8">
        {VALIDATION_FIGURES.map(({ id, value, label }) => (
          <li key={id} className="grid grid-cols-2 gap-4">
            <div className="text-ink-2">
              <p>{HOME_TEXTS.referenceStudy}</p>
              <Figure value={value} label={label} />
            </div>
            <div className="border-l-2 border-primary pl-4 text-ink-2">
              <Link to="/validation" className="text-primary hover:underline">
                {HOME_TEXTS.measuredByUs}
              </Link>
              <Figure {...OWN_FIGURES[OWN[id]]} />
            </div>
          </li>
        ))}
      </ul>
      <div className="mt-10 border-t border-line pt-8 text-ink-2">
        <h3 className="text-base font-medium text-ink">{HOME_TEXTS.alsoMeasured}</h3>
        <ul className="mt-4 grid gap-8 sm:grid-cols-2">
          {ALSO.map((id) => (
            <li key={id} className="border-l-2 border-primary pl-4">
              <Link to="/validation" className="text-primary hover:underline">
                {HOME_TEXTS.measuredByUs}
              </Link>
              <Figure {...OWN_FIGURES[id]} />
            </li>
          ))}
        </ul>
      </div>
      <ButtonLink to="/validation" className="mt-10">
        {HOME_TEXTS.viewValidation}
        <ArrowRight aria-hidden className="size-4" />
      </ButtonLink>
    </Section>
  );
}

/** Formats the study's figures and our own alike. */
function Figure({ value, label }: { value: string; label: string }) {
  return (
    <p>
      <span className="my-1 block text-5xl font-semibold tracking-tight text-primary">
        {value}{" "}
      </span>
      {label}
    </p>
  );
}
