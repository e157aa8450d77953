import { Play } from "lucide-react";
import { useRef, useState } from "react";
import { OVERVIEW_VIDEO_URL, OWN_OVERVIEW } from "../../../app/settings.ts";
import { HOME_TEXTS as TEXTS } from "./texts.ts";
import { OVERVIEW_SCENES } from "./overview-scenes.ts";
import { TissueCanvas } from "../tissue/tissue-canvas.tsx";

const IS_OWN = OVERVIEW_VIDEO_URL === OWN_OVERVIEW.video;

/**
 * The overview video behind its poster; nothing is loaded until requested. If it cannot be played, an animation
 * replaces it.
 */
export function OverviewVideo() {
  const video = useRef<HTMLVideoElement>(null);
  const [state, setState] = useState<"poster" | "open" | "failed">("poster");

  function play(): void {
    setState("open");
    // The element reports playback failures in an error event.
    void video.current?.play().catch(() => undefined);
    video.current?.focus();
  }

  if (state === "failed")
    return (
      <figure className="mb-12">
        <TissueCanvas
          label={TEXTS.canvasAlt}
          className="mx-auto block aspect-square w-full max-w-lg rounded-2xl border border-line bg-card"
        />
        <figcaption role="status" className="mt-3 text-center text-ink-2">
          {TEXTS.videoFailed}
        </figcaption>
      </figure>
    );
  return (
    <figure className="mb-12">
      <div className="relative aspect-video overflow-hidden rounded-2xl border border-line bg-raised">
        <video
          ref={video}
          src={OVERVIEW_VIDEO_URL}
          preload="none"
          playsInline
          controls={state === "open"}
          tabIndex={state === "open" ? 0 : -1}
          aria-label={TEXTS.videoLabel}
          className="size-full"
          onError={() => setState("failed")}
        >
          {IS_OWN && (
            <track
              kind="captions"
              srcLang="en"
              label="English"
              src={OWN_OVERVIEW.captions}
              default
            />
          )}
        </video>
        {state === "poster" && <Poster onPlay={play} />}
      </div>
      {IS_OWN && <Transcript />}
    </figure>
  );
}

function Poster({ onPlay }: { onPlay: () => void }) {
  return (
    <>
      {IS_OWN && (
        <picture>
          <source type="image/avif" srcSet={OWN_OVERVIEW.posterAvif} />
          <img
            src={OWN_OVERVIEW.posterWebp}
            alt=""
            width={1280}
            height={720}
            loading="lazy"
            decoding="async"
            className="absolute inset-0 size-full object-cover"
          />
        </picture>
      )}
      <button
        type="button"
        aria-label={TEXTS.videoPlay}
        onClick={onPlay}
        className="group absolute inset-0 grid place-items-center bg-[#0f1b2a]/15 transition-colors hover:bg-[#0f1b2a]/25 focus-visible:outline-offset-[-4px]"
      >
        <span className="grid size-[72px] place-items-center rounded-full bg-[#4338a8] text-white shadow-lg ring-4 ring-white/70 transition-transform duration-150 group-hover:scale-105">
          <Play aria-hidden className="ml-1 size-8 fill-current" />
        </span>
      </button>
    </>
  );
}

function Transcript() {
  return (
    <figcaption className="mt-3 text-ink-2">
      <p className="text-[0.8125rem] text-ink-3">{TEXTS.videoNote}</p>
      <details className="mt-2">
        <summary className="w-fit rounded-control font-medium">{TEXTS.transcript}</summary>
        <ol className="mt-3 max-w-prose list-decimal space-y-1 pl-5 text-[0.9375rem] leading-6">
          {OVERVIEW_SCENES.map(({ id, text }) => (
            <li key={id}>{text}</li>
          ))}
        </ol>
      </details>
    </figcaption>
  );
}
