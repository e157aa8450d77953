import { Tabs } from "@base-ui/react/tabs";
import { useLocation } from "wouter";
import { useBrowserLocation } from "../../app/location.tsx";
import { usePageTitle } from "../../app/use-page-title.ts";
import { ButtonLink } from "../../components/button.tsx";
import { VALIDATION_TEXTS as TEXTS } from "./texts.ts";
import { Comparison } from "./comparison.tsx";
import { Metrics } from "./metrics.tsx";
import { Overview } from "./overview.tsx";
import { StudyDetails } from "./study-details.tsx";

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
