import { Check } from "lucide-react";
import type { ReactNode } from "react";
import { useBrowserLocation } from "../../app/location.tsx";
import { usePageTitle } from "../../app/use-page-title.ts";
import { joinClasses } from "../../components/join-classes.ts";
import { ANALYSIS_STEPS } from "./texts.ts";

/** What the four pages of the analysis flow share: the name of the current step and the stepper. */
export function AnalysisLayout({ children }: { children: ReactNode }) {
  const { pathname } = useBrowserLocation();
  const current = Math.max(
    0,
    ANALYSIS_STEPS.findIndex(({ path }) => pathname.endsWith(`/${path}`)),
  );
  const { name } = ANALYSIS_STEPS[current]!;
  usePageTitle(`Step ${current + 1} ${name}`);
  return (
    <div className="mx-auto w-full max-w-[1200px] px-4 py-8 sm:px-6 sm:py-10">
      <header className="flex flex-col gap-5 lg:flex-row lg:items-center lg:justify-between">
        <div>
          <p className="mb-1 font-medium text-ink-3 md:hidden">
            Step {current + 1} of {ANALYSIS_STEPS.length}
          </p>
          <h1 className="text-2xl">
            <span className="text-ink-3">Step {current + 1}</span> {name}
          </h1>
        </div>
        <Stepper current={current} />
      </header>
      <div className="mt-8">{children}</div>
    </div>
  );
}

/** Four numbered nodes; on small screens thin bars, with the words above them. */
function Stepper({ current }: { current: number }) {
  return (
    <nav aria-label="Analysis steps">
      <ol className="flex gap-1.5 md:items-center md:gap-2">
        {ANALYSIS_STEPS.map(({ name }, at) => (
          <li
            key={name}
            aria-current={at === current ? "step" : undefined}
            className="flex flex-1 items-center gap-2 md:flex-none"
          >
            {at > 0 && <span aria-hidden className="hidden h-px w-6 bg-line md:block xl:w-10" />}
            <span
              aria-hidden
              className={joinClasses(
                "h-1.5 w-full rounded-full md:hidden",
                at <= current ? "bg-primary" : "bg-line",
              )}
            />
            <span
              className={joinClasses(
                "hidden size-7 shrink-0 place-items-center rounded-full border text-xs font-semibold md:grid",
                at < current && "border-primary bg-primary-tint text-primary",
                at === current && "border-primary bg-primary text-primary-ink",
                at > current && "border-line bg-card text-ink-3",
              )}
            >
              {at < current ? <Check aria-hidden className="size-3.5" /> : at + 1}
            </span>
            <span
              className={joinClasses(
                "sr-only whitespace-nowrap md:not-sr-only",
                at === current ? "font-semibold" : "text-ink-3",
              )}
            >
              {name}
              {at < current && <span className="sr-only"> (done)</span>}
            </span>
          </li>
        ))}
      </ol>
    </nav>
  );
}
