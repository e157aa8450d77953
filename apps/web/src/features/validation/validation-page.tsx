import { Tabs } from "@base-ui/react/tabs";
import { useLocation } from "wouter";
import { useBrowserLocation } from "../../app/location.tsx";
import { usePageTitle } from "../../app/use-page-title.ts";
import { ButtonLink } from "../../components/button.tsx";
import { VALIDATION_TEXTS as TEXTS } from "./texts.ts";
import { Comparison } from "./comparison.tsx";
import { Metrics } from "./metrics.tsx";
import { Overview } from "./overview.tsx";
import { Card } from "../../components/card.tsx";
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
const TABS = [
  { id: "overview", label: TEXTS.tabs.overview, Panel: Overview },
  { id: "metrics", label: TEXTS.tabs.metrics, Panel: Metrics },
  { id: "comparison", label: TEXTS.tabs.comparison, Panel: Comparison },
  { id: "study-details", label: TEXTS.tabs.study, Panel: StudyDetails },
] as const;

/** The benchmark page; the open tab is in the address after #. */
export function ValidationPage() {
  usePageTitle(TEXTS.title);
  const { hash } = useBrowserLocation();
  const [, navigate] = useLocation();
  const open = TABS.find(({ id }) => `#${id}` === hash)?.id ?? "overview";
  return (
    <div className="mx-auto w-full max-w-[1200px] px-4 py-14 sm:px-6 lg:py-20">
      <h1 className="text-[2.5rem] leading-[1.1] tracking-[-0.03em] sm:text-5xl">{TEXTS.title}</h1>
      <p className="mt-5 max-w-2xl text-lg leading-8 text-ink-2">{TEXTS.text}</p>
      <Tabs.Root
        className="mt-10"
        value={open}
        onValueChange={(id: string) => navigate(`#${id}`, { replace: true })}
      >
        <Tabs.List className="relative flex overflow-x-auto border-b sm:gap-1 border-line">
          {TABS.map(({ id, label }) => (
            <Tabs.Tab
              key={id}
              value={id}
              className="h-11 shrink-0 border-b-2 border-transparent px-2 font-medium sm:px-4 text-ink-2 outline-offset-[-2px] hover:text-ink data-active:border-primary data-active:text-ink"
            >
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {TABS.map(({ id, Panel }) => (
          <Tabs.Panel key={id} value={id} className="pt-8">
            <Panel />
          </Tabs.Panel>
        ))}
      </Tabs.Root>
      <div className="mt-12 flex flex-wrap items-center justify-between gap-6 rounded-card border border-line bg-card p-8">
        <div>
          <h2 className="text-xl">{TEXTS.tryTitle}</h2>
          <p className="mt-1 text-ink-2">{TEXTS.tryText}</p>
        </div>
        <div className="flex flex-wrap gap-3">
          <ButtonLink to="/dashboard" variant="primary">
            {TEXTS.dashboard}
          </ButtonLink>
          <ButtonLink to="/contact">{TEXTS.contact}</ButtonLink>
        </div>
      </div>
    </div>
  );
}

/** How the published figures and our own were obtained, and their limitations. */
function StudyDetails() {
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
