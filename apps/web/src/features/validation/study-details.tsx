import { Card } from "../../components/card.tsx";
import { VALIDATION_TEXTS as TEXTS } from "./texts.ts";
import { ACCURACY, figure, nuclei, REAL, typesOfRealCells } from "./measured.ts";
import { Origin } from "./origin.tsx";

const { visium, hd8 } = REAL.captures;

const LIMITS = [
  TEXTS.limits.simulated,
  TEXTS.limits.looks,
  TEXTS.limits.peers,
  TEXTS.limits.section(
    figure(visium.names.wrong),
    figure(hd8.rates.rate[0]!),
    figure(hd8.rates.interpolated[0]!),
  ),
  TEXTS.limits.realCells(
    figure(typesOfRealCells("human blood")),
    figure(typesOfRealCells("mouse cortex")),
  ),
  TEXTS.limits.nuclei(figure(nuclei("he-cellbindb").recall), figure(nuclei("purple-gray").recall)),
  TEXTS.limits.selfTest,
];

/** How the published figures and our own were obtained, and their limitations. */
export function StudyDetails() {
  return (
    <>
      <Origin kind="published">
        <Card title={TEXTS.studyTitle}>
          <Definitions entries={TEXTS.study} />
        </Card>
      </Origin>
      <Origin kind="ours">
        <Card title={TEXTS.howTitle}>
          <Definitions entries={TEXTS.how(ACCURACY.analysisType, ACCURACY.machine)} />
          <p className="mt-4 font-medium">{TEXTS.commandLong}</p>
          <pre className="mt-2 overflow-x-auto rounded-control bg-raised px-4 py-3 font-mono text-xs leading-5 whitespace-pre-wrap">
            {ACCURACY.command}
          </pre>
        </Card>
        <Card title={TEXTS.tissuesListTitle}>
          <Definitions
            entries={ACCURACY.tissues.map(
              ({ name, seeds, setting }) =>
                [name, TEXTS.setting(seeds.join(", "), setting)] as const,
            )}
          />
        </Card>
        <Card title={TEXTS.limitsTitle}>
          <ul className="max-w-prose list-disc space-y-2 pl-5 text-[0.9375rem] leading-6 text-ink-2">
            {LIMITS.map((limit) => (
              <li key={limit}>{limit}</li>
            ))}
          </ul>
        </Card>
      </Origin>
    </>
  );
}

function Definitions({ entries }: { entries: readonly (readonly [string, string])[] }) {
  return (
    <dl className="divide-y divide-line">
      {entries.map(([term, text]) => (
        <div key={term} className="grid gap-1 py-3 sm:grid-cols-[16rem_1fr] sm:gap-4">
          <dt className="text-ink-3">{term}</dt>
          <dd className="max-w-prose">{text}</dd>
        </div>
      ))}
    </dl>
  );
}
