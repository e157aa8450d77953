import { usePageTitle } from "../../app/use-page-title.ts";
import { ButtonLink } from "../../components/button.tsx";
import { ABOUT_TEXTS as TEXTS } from "./about-texts.ts";
import { PageIntro } from "./page-intro.tsx";
import { Section } from "./section.tsx";

export function AboutPage() {
  usePageTitle(TEXTS.title);
  return (
    <>
      <PageIntro title={TEXTS.title} text={TEXTS.lead} />
      <Section title={TEXTS.missionTitle} text={TEXTS.mission}>
        {null}
      </Section>
      <Section tinted title={TEXTS.valuesTitle}>
        <ul className="grid gap-8 sm:grid-cols-2 lg:grid-cols-4">
          {TEXTS.values.map(({ title, text }) => (
            <li key={title} className="border-t-2 border-primary pt-5">
              <h3 className="text-base">{title}</h3>
              <p className="mt-2 text-[0.9375rem] leading-6 text-ink-2">{text}</p>
            </li>
          ))}
        </ul>
      </Section>
      <section className="mx-auto grid w-full max-w-[1200px] gap-12 px-4 py-16 sm:px-6 lg:grid-cols-2 lg:py-24">
        <div>
          <h2 className="text-[2rem] leading-10">{TEXTS.impactTitle}</h2>
          <p className="mt-3 text-[1.0625rem] leading-7 text-ink-2">{TEXTS.impact}</p>
          <ButtonLink to="/services" className="mt-6">
            {TEXTS.services}
          </ButtonLink>
        </div>
        <div>
          <h2 className="text-[2rem] leading-10">{TEXTS.communityTitle}</h2>
          <p className="mt-3 text-[1.0625rem] leading-7 text-ink-2">{TEXTS.community}</p>
          <ButtonLink to="/contact" className="mt-6">
            {TEXTS.contact}
          </ButtonLink>
        </div>
      </section>
    </>
  );
}
