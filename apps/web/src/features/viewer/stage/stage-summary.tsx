import { useEffect, useState } from "react";
import { shownValueNames } from "../coloring/shown-value-names.ts";
import { stageTexts } from "./texts.ts";
import type { ViewName } from "@stipple/viewer/choices";
import { useViewer } from "../state/viewer-context.tsx";
import { lengthText } from "@stipple/viewer/geometry";
import type { Scene, SceneContent } from "@stipple/viewer";

/** The sentence is updated only once the view has been still this long, not on every frame. */
const REST_MS = 900;

/** A sentence describing what a stage shows, announced when it changes. */
export function StageSummary({
  id,
  view,
  scene,
  content,
}: {
  id: string;
  view: ViewName;
  scene: Scene | null;
  content: SceneContent;
}) {
  const { manifest, store } = useViewer();
  const [text, setText] = useState("");

  useEffect(() => {
    let waiting: ReturnType<typeof setTimeout> | undefined;
    const tell = () => {
      const state = store.getState();
      const seen = scene?.seen();
      if (!seen) return;
      if (!state.layers.cells) return setText(stageTexts.noCells(view));
      const names = shownValueNames(state);
      const isBins = manifest.binSidePx !== null;
      setText(
        stageTexts.summary({
          view,
          inView: seen.inView,
          drawn: seen.drawn,
          by: names.length > 0 ? names.join(" and ") : stageTexts.coloredBy[state.colorBy],
          wide: seen.widthUm === null ? null : lengthText(seen.widthUm),
          outlined: seen.outlined,
          swipe:
            view === "tissue" && state.swipe !== null
              ? stageTexts.swipeAt(Math.round(100 * state.swipe), isBins)
              : null,
        }),
      );
    };
    const later = () => {
      clearTimeout(waiting);
      waiting = setTimeout(tell, REST_MS);
    };
    later();
    const stop = store.subscribe((state, before) => {
      if (state.hovered === before.hovered) later();
    });
    return () => {
      clearTimeout(waiting);
      stop();
    };
  }, [manifest, store, scene, view, content]);

  return (
    <p id={id} aria-live="polite" className="sr-only">
      {text}
    </p>
  );
}
