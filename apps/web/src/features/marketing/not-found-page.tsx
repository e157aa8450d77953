import { useEffect } from "react";
import { usePageTitle } from "../../app/use-page-title.ts";
import { ButtonLink } from "../../components/button.tsx";
import { NOT_FOUND_TEXTS as TEXTS } from "./not-found-texts.ts";
import { STILLS } from "./tissue/draw-scene.ts";
import { TissueCanvas } from "./tissue/tissue-canvas.tsx";

export function NotFoundPage() {
  usePageTitle(TEXTS.title);
  useEffect(() => {
    const robots = document.createElement("meta");
    robots.name = "robots";
    robots.content = "noindex";
    document.head.append(robots);
    return () => robots.remove();
  }, []);
  return (
    <div className="grid flex-1 place-items-center px-4 py-16 text-center">
      <div>
        <TissueCanvas
          label=""
          still={STILLS.nuclei}
          className="mx-auto block size-40 overflow-hidden rounded-full border border-line"
        />
        <p className="mt-6 font-mono text-ink-3">404</p>
        <h1 className="mt-1 text-[2rem] leading-10">{TEXTS.title}</h1>
        <p className="mx-auto mt-2 max-w-md text-ink-2">{TEXTS.text}</p>
        <div className="mt-8 flex justify-center gap-3">
          <ButtonLink to="/" variant="primary">
            {TEXTS.home}
          </ButtonLink>
          <ButtonLink to="/contact">{TEXTS.contact}</ButtonLink>
        </div>
      </div>
    </div>
  );
}
