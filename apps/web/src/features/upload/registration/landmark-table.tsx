import type { Landmark } from "@stipple/contract/routes/registration";
import { Trash2 } from "lucide-react";
import { Button } from "../../../components/button.tsx";
import { Input } from "../../../components/field.tsx";
import type { LandmarkChange } from "./landmarks.ts";
import { registrationTexts as TEXTS } from "./texts.ts";

/** Landmarks as numbers, each with how far it is from where the map puts it. */
export function LandmarkTable({
  landmarks,
  residualsPx,
  micronsPerPixel,
  onChange,
}: {
  landmarks: readonly Landmark[];
  residualsPx: readonly number[];
  micronsPerPixel: number;
  onChange: (change: LandmarkChange) => void;
}) {
  if (landmarks.length === 0) return null;
  return (
    <div className="overflow-x-auto">
      <table className="w-full min-w-[36rem] text-[0.8125rem]">
        <thead>
          <tr className="text-left text-ink-2">
            <th scope="col" className="py-1 pr-2 font-medium">
              #
            </th>
            {TEXTS.columns.map((column) => (
              <th key={column} scope="col" className="py-1 pr-2 font-medium">
                {column}
              </th>
            ))}
            <th scope="col" className="py-1 pr-2 font-medium">
              {TEXTS.residual}
            </th>
            <td />
          </tr>
        </thead>
        <tbody>
          {landmarks.map((landmark, at) => (
            <Row key={at} {...{ landmark, at, micronsPerPixel, onChange }} px={residualsPx[at]} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Row({
  landmark: { from, to },
  at,
  px,
  micronsPerPixel,
  onChange,
}: {
  landmark: Landmark;
  at: number;
  px: number | undefined;
  micronsPerPixel: number;
  onChange: (change: LandmarkChange) => void;
}) {
  function set(column: number, text: string): void {
    const value = Number(text);
    if (text.trim() === "" || !Number.isFinite(value)) return;
    const numbers = [...from, ...to];
    if (numbers[column] === value) return;
    numbers[column] = value;
    const [x, y, u, v] = numbers as [number, number, number, number];
    onChange({ do: "set", at, landmark: { from: [x, y], to: [u, v] } });
  }
  return (
    <tr>
      <th scope="row" className="py-1 pr-2 font-medium">
        {at + 1}
      </th>
      {[...from, ...to].map((value, column) => (
        <td key={column} className="py-1 pr-2">
          <Input
            // Typing is not undone letter by letter.
            key={value}
            className="h-8"
            inputMode="decimal"
            defaultValue={value}
            aria-label={`${TEXTS.landmark(at + 1)}, ${TEXTS.columns[column]}`}
            onBlur={({ currentTarget }) => set(column, currentTarget.value)}
            onKeyDown={({ key, currentTarget }) => {
              if (key === "Enter") set(column, currentTarget.value);
            }}
          />
        </td>
      ))}
      <td className="py-1 pr-2 whitespace-nowrap">
        {px !== undefined && TEXTS.off(px, px * micronsPerPixel)}
      </td>
      <td className="py-1 text-right">
        <Button
          size="sm"
          variant="ghost"
          title={TEXTS.remove(at + 1)}
          icon={Trash2}
          onClick={() => onChange({ do: "remove", at })}
        >
          <span className="sr-only">{TEXTS.remove(at + 1)}</span>
        </Button>
      </td>
    </tr>
  );
}
