import { CtaBand } from "./home/cta-band.tsx";
import { Claims } from "./home/claims.tsx";
import { FeatureCards } from "./home/feature-cards.tsx";
import { Hero } from "./home/hero.tsx";
import { HowItWorks } from "./home/how-it-works.tsx";
import { Overview } from "./home/overview.tsx";
import { ServiceTeaser } from "./home/service-teaser.tsx";
import { ValidationTeaser } from "./home/validation-teaser.tsx";
import { usePageTitle } from "../../app/use-page-title.ts";
import { HOME_TEXTS } from "./home/texts.ts";

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
