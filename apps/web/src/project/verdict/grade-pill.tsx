import { GRADE_WORDS, type VerdictGrade } from "@stipple/contract/verdict";
import { StatusPill, type Tone } from "../../components/status-pill.tsx";

export const GRADE_TONES = {
  good: "ok",
  limited: "warn",
  poor: "bad",
} as const satisfies Record<VerdictGrade, Tone>;

/** A grade as a word with its color. */
export function GradePill({ grade }: { grade: VerdictGrade }) {
  return <StatusPill tone={GRADE_TONES[grade]}>{GRADE_WORDS[grade]}</StatusPill>;
}
