import type { Affine } from "@stipple/contract/affine";
import type { RegistrationLook } from "@stipple/contract/routes/registration";
import { useEffect, useId, useReducer, useState } from "react";
import { Notice } from "../../../components/notice.tsx";
import { Segmented } from "../../../components/segmented.tsx";
import { draftOf, keepDraft } from "./draft.ts";
import { LandmarkActions } from "./landmark-actions.tsx";
import { LandmarkTable } from "./landmark-table.tsx";
import { editLandmarks, fitLandmarks, MIN_LANDMARKS, nearestSpot } from "./landmarks.ts";
import { SpotPicture } from "./spot-picture.tsx";
import { registrationTexts as TEXTS } from "./texts.ts";

const AS_IN_FILES: Affine = [1, 0, 0, 0, 1, 0];
const ZOOMS = { 1: "1×", 2: "2×", 4: "4×" };

/** The spots over the image, and landmarks that move them. */
export function RegistrationView({
  projectId,
  look,
}: {
  projectId: string;
  look: RegistrationLook;
}) {
  const kept = look.landmarks ?? [];
  const [opacity, setOpacity] = useState(0.5);
  const [zoom, setZoom] = useState("1");
  const [chosen, setChosen] = useState<[number, number] | null>(null);
  const [edit, change] = useReducer(editLandmarks, null, () => ({
    landmarks: draftOf(projectId) ?? kept,
    past: [],
  }));
  const { landmarks } = edit;
  const fit = fitLandmarks(landmarks);
  const before = landmarks.length > 0 ? null : (look.map as Affine | null);
  const map = fit.map ?? before ?? AS_IN_FILES;
  const isChanged = JSON.stringify(landmarks) !== JSON.stringify(kept);
  useEffect(
    () => keepDraft(projectId, isChanged ? landmarks : null),
    [projectId, isChanged, landmarks],
  );

  function add(from: [number, number], to: [number, number]): void {
    change({ do: "add", landmark: { from, to } });
    setChosen(null);
  }

  const um = look.microns_per_pixel;
  const missing = MIN_LANDMARKS - landmarks.length;
  const state =
    missing > 0
      ? TEXTS.missing(missing)
      : fit.map
        ? TEXTS.fits(landmarks.length, fit.residualPx, fit.residualPx * um)
        : TEXTS.onLine;
  return (
    <div className="flex flex-col gap-4">
      <Notice tone={look.tone}>{look.sentence}</Notice>
      <div className="flex flex-wrap items-center gap-x-6 gap-y-2">
        <Opacity value={opacity} onChange={setOpacity} />
        <div className="w-40">
          <Segmented label={TEXTS.zoom} names={ZOOMS} value={zoom} onChange={setZoom} />
        </div>
      </div>
      <SpotPicture
        {...{ look, map, opacity, landmarks, chosen }}
        zoom={Number(zoom)}
        onPlace={(at) => (chosen ? add(chosen, at) : setChosen(nearestSpot(look.spots, map, at)))}
      />
      <div>
        <h3 className="text-sm font-medium">{TEXTS.align}</h3>
        <p className="mt-1 text-[0.8125rem] text-ink-2">{TEXTS.alignHint}</p>
        <p role="status" className="mt-1 text-[0.8125rem] text-ink-2">
          <span>{chosen ? TEXTS.choosePlace : TEXTS.chooseSpot}</span>{" "}
          {landmarks.length > 0 && <span>{state}</span>}
        </p>
      </div>
      <LandmarkTable
        landmarks={landmarks}
        residualsPx={fit.residualsPx}
        micronsPerPixel={um}
        onChange={change}
      />
      <LandmarkActions
        {...{ projectId, edit, kept, isChanged }}
        fits={fit.map !== null}
        replaces={look.map !== null}
        onAdd={() => {
          const middle = [look.width_px / 2, look.height_px / 2] as const;
          const spot = chosen ?? nearestSpot(look.spots, map, middle);
          add(spot, spot);
        }}
        onChange={change}
      />
    </div>
  );
}

function Opacity({ value, onChange }: { value: number; onChange: (value: number) => void }) {
  const id = useId();
  return (
    <label htmlFor={id} className="flex items-center gap-2 text-[0.8125rem]">
      {TEXTS.opacity}
      <input
        id={id}
        type="range"
        min={0}
        max={1}
        step={0.05}
        value={value}
        className="accent-primary"
        onChange={({ currentTarget }) => onChange(Number(currentTarget.value))}
      />
    </label>
  );
}
