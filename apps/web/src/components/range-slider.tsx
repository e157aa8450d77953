import { Slider } from "@base-ui/react/slider";
import type { ReactNode } from "react";

/** A range between two thumbs that cannot pass each other; each has its own name. */
export function RangeSlider({
  value,
  max,
  step,
  apart = 1,
  labels,
  disabled = false,
  onChange,
  onRelease,
  children,
}: {
  value: readonly [number, number];
  max: number;
  step: number;
  /** Fewest steps between the thumbs. */
  apart?: number;
  /** Accessible names of the lower and the upper thumb. */
  labels: readonly [string, string];
  disabled?: boolean;
  onChange: (value: readonly [number, number]) => void;
  /** A thumb was let go, or moved by a key. */
  onRelease?: () => void;
  /** Stands above the track. */
  children?: ReactNode;
}) {
  return (
    <Slider.Root
      value={value}
      max={max}
      step={step}
      minStepsBetweenValues={apart}
      disabled={disabled}
      onValueChange={(next) => {
        const [low = 0, high = max] = next as readonly number[];
        onChange([low, high]);
      }}
      {...(onRelease && { onValueCommitted: onRelease })}
    >
      {children}
      <Slider.Control className="flex h-6 w-full touch-none items-center px-2 data-disabled:opacity-40">
        <Slider.Track className="h-1.5 w-full rounded-full bg-line">
          <Slider.Indicator className="rounded-full bg-primary" />
          {labels.map((label, index) => (
            <Slider.Thumb
              key={label}
              index={index}
              getAriaLabel={() => label}
              className="size-4 rounded-full border-2 border-primary bg-card has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-primary"
            />
          ))}
        </Slider.Track>
      </Slider.Control>
    </Slider.Root>
  );
}
