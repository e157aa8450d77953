import { Field } from "../../components/field.tsx";
import { RESET_TEXTS as TEXTS } from "./texts.ts";
import { PasswordChecklist } from "./password-checklist.tsx";
import { PasswordInput } from "./password-input.tsx";

/** A new password and its confirmation. */
export interface NewPassword {
  password: string;
  confirmation: string;
}

export const NO_PASSWORD: NewPassword = { password: "", confirmation: "" };

/** Where an existing account gets a new password: two fields and the checklist of the register screen. */
export function NewPasswordFields({
  value,
  onChange,
}: {
  value: NewPassword;
  onChange: (value: NewPassword) => void;
}) {
  return (
    <>
      <Field label={TEXTS.password}>
        {(control) => (
          <PasswordInput
            {...control}
            toggleName={TEXTS.password.toLowerCase()}
            name="new-password"
            autoComplete="new-password"
            required
            value={value.password}
            onChange={(event) => onChange({ ...value, password: event.target.value })}
          />
        )}
      </Field>
      <Field label={TEXTS.confirmation}>
        {(control) => (
          <PasswordInput
            {...control}
            toggleName={TEXTS.confirmation.toLowerCase()}
            name="confirmation"
            autoComplete="new-password"
            required
            value={value.confirmation}
            onChange={(event) => onChange({ ...value, confirmation: event.target.value })}
          />
        )}
      </Field>
      <PasswordChecklist password={value.password} />
    </>
  );
}
