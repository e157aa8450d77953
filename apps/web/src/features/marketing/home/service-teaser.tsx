import { ButtonLink } from "../../../components/button.tsx";
import { HOME_TEXTS } from "./texts.ts";
import { BIOINFORMATICS_SERVICES, SERVICES_TEXTS } from "../services-texts.ts";
import { Section } from "../section.tsx";

export function ServiceTeaser() {
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
