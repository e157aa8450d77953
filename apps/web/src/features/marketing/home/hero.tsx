import { Pause, Play } from "lucide-react";
import { useState } from "react";
import { ButtonLink } from "../../../components/button.tsx";
import { HOME_TEXTS as TEXTS } from "./texts.ts";
import { TissueCanvas } from "../tissue/tissue-canvas.tsx";
import { TryFreeButton } from "../try-free-button.tsx";
import { LiveExampleButton, LiveExampleMessage, useLiveExample } from "./live-example.tsx";

export function Hero() {
  const [playing, setPlaying] = useState(true);
  const example = useLiveExample();
  const Icon = playing ? Pause : Play;
  return (
    <section className="mx-auto grid w-full max-w-[1200px] items-center gap-10 px-4 pt-12 pb-16 sm:px-6 lg:grid-cols-12 lg:gap-12 lg:pt-20 lg:pb-24">
      <div className="lg:col-span-7">
        <p className="font-medium text-accent">{TEXTS.eyebrow}</p>
        <h1 className="mt-4 text-[2.5rem] leading-[1.08] tracking-[-0.03em] sm:text-5xl lg:text-[3.75rem]">
          {TEXTS.claim.map((line) => (
            <span key={line} className="block">
              {line}{" "}
            </span>
          ))}
        </h1>
        <p className="mt-6 max-w-xl text-lg leading-8 text-ink-2 sm:text-xl">{TEXTS.sub}</p>
        <div className="mt-8 flex flex-wrap gap-3">
          <TryFreeButton />
          <ButtonLink to="/validation" size="lg">
            {TEXTS.viewValidation}
          </ButtonLink>
          <LiveExampleButton example={example} />
        </div>
        <LiveExampleMessage example={example} />
      </div>
      <figure className="lg:col-span-5">
        <div className="relative overflow-hidden rounded-2xl border border-line bg-card">
          <TissueCanvas
            label={TEXTS.canvasAlt}
            playing={playing}
            className="block aspect-square w-full"
          />
          <button
            type="button"
            aria-label={playing ? TEXTS.pause : TEXTS.play}
            onClick={() => setPlaying(!playing)}
            className="absolute right-3 bottom-3 grid size-9 place-items-center rounded-full border border-line bg-card/90 text-ink-2 hover:text-ink motion-reduce:hidden"
          >
            <Icon aria-hidden className="size-4" />
          </button>
        </div>
        <figcaption className="mt-3 text-center text-[0.8125rem] text-ink-3">
          {TEXTS.illustration}
        </figcaption>
      </figure>
    </section>
  );
}
