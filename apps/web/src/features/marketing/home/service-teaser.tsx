import { Check } from "lucide-react";
import { ButtonLink } from "../../../components/button.tsx";
import { HOME_TEXTS } from "../../../texts/home.ts";
import { BIOINFORMATICS_SERVICES, SERVICES_TEXTS } from "../../../texts/services.ts";
import { Section } from "../section.tsx";

export function ServiceTeaser() {
  return (
    <Section title={HOME_TEXTS.servicesTitle} text={HOME_TEXTS.servicesText}>
      <ul
        aria-label={SERVICES_TEXTS.bioinformaticsTitle}
        className="grid gap-x-6 gap-y-3 sm:grid-cols-2 lg:grid-cols-3"
      >
        {BIOINFORMATICS_SERVICES.map(({ title }) => (
          <li key={title} className="flex items-center gap-2.5 text-base">
            <Check aria-hidden className="size-4 shrink-0 text-ok" />
            {title}
          </li>
        ))}
      </ul>
      <ButtonLink to="/services" className="mt-8">
        {HOME_TEXTS.allServices}
      </ButtonLink>
    </Section>
  );
}
