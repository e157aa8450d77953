import {
  Activity,
  Dna,
  Download,
  Eye,
  GitFork,
  Layers,
  Microscope,
  ScanSearch,
  ShieldPlus,
  Workflow,
  type LucideIcon,
} from "lucide-react";
import { usePageTitle } from "../../app/use-page-title.ts";
import { ButtonLink } from "../../components/button.tsx";
import {
  BIOINFORMATICS_SERVICES,
  SERVICES_TEXTS as TEXTS,
  SPATIAL_SERVICES,
  type Service,
} from "./services-texts.ts";
import { PageIntro } from "./page-intro.tsx";
import { Section } from "./section.tsx";

const SPATIAL_ICONS = [ScanSearch, Layers, Eye, Download];
const BIOINFORMATICS_ICONS = [Activity, Microscope, Dna, GitFork, ShieldPlus, Workflow];

export function ServicesPage() {
  usePageTitle(TEXTS.title);
  return (
    <>
      <PageIntro title={TEXTS.title} text={TEXTS.text} />
      <Section title={TEXTS.spatialTitle}>
        <ServiceCards services={SPATIAL_SERVICES} icons={SPATIAL_ICONS} columns="lg:grid-cols-4" />
      </Section>
      <Section tinted title={TEXTS.bioinformaticsTitle}>
        <ServiceCards
          services={BIOINFORMATICS_SERVICES}
          icons={BIOINFORMATICS_ICONS}
          columns="lg:grid-cols-3"
        />
      </Section>
      <section className="mx-auto flex w-full max-w-[1200px] flex-wrap items-center justify-between gap-6 px-4 py-16 sm:px-6">
        <div>
          <h2 className="text-2xl">{TEXTS.ctaTitle}</h2>
          <p className="mt-1 text-base text-ink-2">{TEXTS.ctaText}</p>
        </div>
        <ButtonLink to="/contact" variant="primary" size="lg">
          {TEXTS.cta}
        </ButtonLink>
      </section>
    </>
  );
}

function ServiceCards({
  services,
  icons,
  columns,
}: {
  services: readonly Service[];
  icons: readonly LucideIcon[];
  columns: string;
}) {
  return (
    <ul className={`grid gap-4 sm:grid-cols-2 ${columns}`}>
      {services.map(({ title, text }, at) => {
        const Icon = icons[at] ?? Microscope;
        return (
          <li key={title} className="rounded-card border border-line bg-card p-6">
            <span className="grid size-10 place-items-center rounded-control bg-primary-tint text-primary">
              <Icon aria-hidden className="size-5" />
            </span>
            <h3 className="mt-4 text-base">{title}</h3>
            <p className="mt-1.5 text-[0.9375rem] leading-6 text-ink-2">{text}</p>
          </li>
        );
      })}
    </ul>
  );
}
