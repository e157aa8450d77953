import { useEffect, useRef, useSyncExternalStore } from "react";
import { drawScene, PALETTES, sweepStage, type Stage } from "./draw-scene.ts";
import { tissueScene } from "./scene.ts";

const SCENE = tissueScene(20_241);

/** Seconds of each phase of the loop: spots hold, dissolve into cells, cells hold, and fade back. */
const ROUND = { stand: 1.2, sweep: 4.2, cells: 3.2, back: 1.4 };
/** The loop starts half-way through: half of the tissue as spots, half as cells. */
const START_S = ROUND.stand + ROUND.sweep / 2;
const ROUND_S = ROUND.stand + ROUND.sweep + ROUND.cells + ROUND.back;

function stageAt(seconds: number): Stage {
  const time = seconds % ROUND_S;
  if (time < ROUND.stand + ROUND.sweep)
    return sweepStage(Math.max(0, time - ROUND.stand) / ROUND.sweep);
  const back = Math.max(0, time - ROUND.stand - ROUND.sweep - ROUND.cells) / ROUND.back;
  const seen = 1 - back * back * (3 - 2 * back);
  return { spots: () => 1 - seen, cells: () => seen, nuclei: 0.25 };
}

/**
 * The synthetic tissue; decorative without a label. `still` draws one picture; otherwise it is animated while visible
 * and `playing`, except under reduced motion.
 */
export function TissueCanvas({
  label,
  still,
  playing = true,
  className,
}: {
  label: string;
  still?: Stage;
  playing?: boolean;
  className?: string;
}) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const clock = useRef(START_S);
  const dark = useMediaQuery("(prefers-color-scheme: dark)");
  const calm = useMediaQuery("(prefers-reduced-motion: reduce)");

  useEffect(() => {
    const element = canvas.current;
    const context = element?.getContext("2d");
    if (!element || !context) return;
    let frame = 0;
    let last = 0;
    const moving = !still && playing && !calm;

    const draw = (): void => {
      const size = element.clientWidth;
      const ratio = Math.min(2, window.devicePixelRatio);
      const pixels = Math.round(size * ratio);
      if (element.width !== pixels) element.width = element.height = pixels;
      context.setTransform(ratio, 0, 0, ratio, 0, 0);
      const stage = still ?? (calm ? sweepStage(0.5) : stageAt(clock.current));
      drawScene(context, SCENE, stage, PALETTES[dark ? "dark" : "light"], size);
    };
    const run = (now: number): void => {
      // Half the display's frame rate is smooth enough here and saves battery.
      if (now - last > 30) {
        clock.current += last === 0 ? 0 : Math.min(0.1, (now - last) / 1000);
        last = now;
        draw();
      }
      frame = requestAnimationFrame(run);
    };
    const seen = new IntersectionObserver(([entry]) => {
      cancelAnimationFrame(frame);
      last = 0;
      if (entry?.isIntersecting && moving) frame = requestAnimationFrame(run);
    });
    const resized = new ResizeObserver(draw);
    seen.observe(element);
    resized.observe(element);
    return () => {
      cancelAnimationFrame(frame);
      seen.disconnect();
      resized.disconnect();
    };
  }, [still, playing, dark, calm]);

  return label ? (
    <canvas ref={canvas} role="img" aria-label={label} className={className} />
  ) : (
    <canvas ref={canvas} aria-hidden className={className} />
  );
}

/** Like that of the components, which would join this page's script to that of others: 2 kB more for them. */
function useMediaQuery(query: string): boolean {
  return useSyncExternalStore(
    (listener) => {
      const list = window.matchMedia(query);
      list.addEventListener("change", listener);
      return () => list.removeEventListener("change", listener);
    },
    () => window.matchMedia(query).matches,
  );
}
