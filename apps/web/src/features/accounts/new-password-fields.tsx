import { RESET_TEXTS as TEXTS } from "./texts.ts";
import { PasswordChecklist } from "./password-checklist.tsx";
import { PasswordField } from "./password-field.tsx";

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
      <PasswordField
        label={TEXTS.password}
        name="new-password"
        autoComplete="new-password"
        value={value.password}
        onText={(password) => onChange({ ...value, password })}
      />
      <PasswordField
        label={TEXTS.confirmation}
        name="confirmation"
        autoComplete="new-password"
        value={value.confirmation}
        onText={(confirmation) => onChange({ ...value, confirmation })}
      />
      <PasswordChecklist password={value.password} />
    </>
  );
}
