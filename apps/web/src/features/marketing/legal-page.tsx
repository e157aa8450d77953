import { usePageTitle } from "../../app/use-page-title.ts";
import { LAST_UPDATED, type LegalText } from "./legal-texts.ts";

/** The Terms and the Privacy Policy. */
export function LegalPage({ text }: { text: LegalText }) {
  usePageTitle(text.title);
  return (
    <article className="mx-auto w-full max-w-[1200px] px-4 py-14 sm:px-6 lg:py-20">
      <h1 className="text-[2.5rem] leading-[1.1] tracking-[-0.03em]">{text.title}</h1>
      <p className="mt-3 text-ink-3">{LAST_UPDATED}</p>
      <div className="prose-page mt-8">
        <p>{text.lead}</p>
        {text.sections.map(({ title, paragraphs }, at) => (
          <section key={title}>
            <h2>
              {at + 1}. {title}
            </h2>
            {paragraphs.map((paragraph) => (
              <p key={paragraph}>{paragraph}</p>
            ))}
          </section>
        ))}
      </div>
    </article>
  );
}
