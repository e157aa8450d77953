import { StatusPill } from "../../components/status-pill.tsx";
import { SIGN_IN_TEXTS as TEXTS } from "./texts.ts";

const TONES = { weak: "bad", fair: "warn", strong: "ok" } as const;

/** Advice only: the form accepts every password of the minimum length. */
export function PasswordStrength({ password }: { password: string }) {
  const strength = passwordStrength(password);
  return (
    <p aria-live="polite" className="-mt-2 text-[0.8125rem] text-ink-2 empty:absolute">
      {password && (
        <>
          {TEXTS.strength}{" "}
          <StatusPill tone={TONES[strength]}>{TEXTS.strengths[strength]}</StatusPill>
        </>
      )}
    </p>
  );
}

/**
 * How hard a password is to guess, by the bits of its different characters, each drawn at random from the kinds it uses:
 * under 40 weak, from 60 strong. Repeated characters add nothing.
 */
export function passwordStrength(password: string): keyof typeof TONES {
  const kinds = [
    [/[a-z]/, 26],
    [/[A-Z]/, 26],
    [/[0-9]/, 10],
    [/[^a-zA-Z0-9]/, 33],
  ] as const;
  const choices = kinds.reduce((sum, [kind, size]) => sum + (kind.test(password) ? size : 0), 1);
  const bits = new Set(password).size * Math.log2(choices);
  return bits < 40 ? "weak" : bits < 60 ? "fair" : "strong";
}
