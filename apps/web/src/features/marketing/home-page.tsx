import { Claims } from "./home/claims.tsx";
import { FeatureCards } from "./home/feature-cards.tsx";
import { Hero } from "./home/hero.tsx";
import { ValidationTeaser } from "./home/validation-teaser.tsx";
import { usePageTitle } from "../../app/use-page-title.ts";
import { HOME_TEXTS, HOW_STEPS, STAGES } from "./home/texts.ts";
import { Section } from "./section.tsx";
import { useSession } from "../../app/session.ts";
import { ButtonLink } from "../../components/button.tsx";
import { TryFreeButton } from "./try-free-button.tsx";
import { BIOINFORMATICS_SERVICES, SERVICES_TEXTS } from "./services-texts.ts";
import { STILLS } from "./tissue/draw-scene.ts";
import { OverviewVideo } from "./home/overview-video.tsx";
import { TissueCanvas } from "./tissue/tissue-canvas.tsx";

const PICTURES = [STILLS.spots, STILLS.nuclei, STILLS.cells];

/** The landing page. */
export function HomePage() {
  usePageTitle(HOME_TEXTS.title);
  return (
    <>
      <Hero />
      <Claims />
      <Overview />
      <FeatureCards />
      <HowItWorks />
      <ValidationTeaser />
      <ServiceTeaser />
      <CtaBand />
    </>
  );
}

function HowItWorks() {
  return (
    <Section title={HOME_TEXTS.howTitle} text={HOME_TEXTS.howText}>
      <ol className="grid gap-8 sm:grid-cols-2 lg:grid-cols-4">
        {HOW_STEPS.map(({ title, text }, at) => (
          <li key={title} className="border-t-2 border-primary pt-5">
            <p className="text-[0.8125rem] font-medium text-primary">Step {at + 1}</p>
            <h3 className="mt-1 text-lg">{title}</h3>
            <p className="mt-2 text-[0.9375rem] leading-6 text-ink-2">{text}</p>
          </li>
        ))}
      </ol>
    </Section>
  );
}

/** The dark band that ends the page. */
function CtaBand() {
  const { state } = useSession();
  return (
    <section className="bg-[#17123f] text-white">
      <div className="mx-auto flex max-w-[1200px] flex-wrap items-center justify-between gap-6 px-4 py-14 sm:px-6 lg:py-20">
        <div>
          <h2 className="text-[2rem] leading-10">{HOME_TEXTS.ctaTitle}</h2>
          <p className="mt-2 text-[1.0625rem] leading-7 text-white/75">{HOME_TEXTS.ctaText}</p>
        </div>
        {state === "in" ? (
          <ButtonLink to="/analysis/step1" variant="inverse" size="lg">
            {HOME_TEXTS.ctaMember}
          </ButtonLink>
        ) : (
          <TryFreeButton variant="inverse" />
        )}
      </div>
    </section>
  );
}

function ServiceTeaser() {
  return (
    <Section title={HOME_TEXTS.servicesTitle} text={HOME_TEXTS.servicesText}>
      <ul
        aria-label={SERVICES_TEXTS.bioinformaticsTitle}
        className="grid gap-px overflow-hidden rounded-card border border-line bg-line sm:grid-cols-2 lg:grid-cols-3"
      >
        {BIOINFORMATICS_SERVICES.map(({ title, text }) => (
          <li key={title} className="bg-card p-6">
            <h3 className="text-base">{title}</h3>
            <p className="mt-1.5 text-ink-2">{text}</p>
          </li>
        ))}
      </ul>
      <ButtonLink to="/services" className="mt-8">
        {HOME_TEXTS.allServices}
      </ButtonLink>
    </Section>
  );
}

/** The overview: the video, and three captioned pictures of what happens to a tissue. */
function Overview() {
  return (
    <Section title={HOME_TEXTS.overviewTitle} text={HOME_TEXTS.overviewText}>
      <OverviewVideo />
      <ol className="grid gap-6 md:grid-cols-3">
        {STAGES.map(({ title, text, alt }, at) => (
          <li key={title}>
            <TissueCanvas
              label={alt}
              {...(PICTURES[at] && { still: PICTURES[at] })}
              className="block aspect-square w-full rounded-card border border-line"
            />
            <h3 className="mt-4 text-base">
              {at + 1}. {title}
            </h3>
            <p className="mt-1 text-ink-2">{text}</p>
          </li>
        ))}
      </ol>
      <p className="mt-6 text-[0.8125rem] text-ink-3">{HOME_TEXTS.illustration}</p>
    </Section>
  );
}
