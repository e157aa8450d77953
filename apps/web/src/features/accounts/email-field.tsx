import { TextField } from "../../components/field.tsx";
import { SIGN_IN_TEXTS } from "./texts.ts";

/** The email address that an account is known by. */
export function EmailField({ value, onText }: { value: string; onText: (text: string) => void }) {
  return (
    <TextField
      label={SIGN_IN_TEXTS.email}
      type="email"
      name="email"
      autoComplete="username"
      required
      value={value}
      onText={onText}
    />
  );
}
