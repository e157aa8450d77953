import { useSession } from "../../../app/session.ts";
import { ButtonLink } from "../../../components/button.tsx";
import { HOME_TEXTS } from "./texts.ts";
import { TryFreeButton } from "../try-free-button.tsx";

/** The dark band that ends the page. */
export function CtaBand() {
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
