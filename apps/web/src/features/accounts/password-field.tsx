import { Eye, EyeOff } from "lucide-react";
import { useState, type ComponentProps } from "react";
import { Field, Input } from "../../components/field.tsx";
import { REGISTER_TEXTS } from "./texts.ts";

/** A required password whose text can be shown; `toggleName` tells the toggles of two fields apart. */
export function PasswordField({
  label,
  toggleName = label.toLowerCase(),
  onText,
  ...rest
}: Omit<ComponentProps<"input">, "onChange"> & {
  label: string;
  toggleName?: string;
  onText: (text: string) => void;
}) {
  const [shown, setShown] = useState(false);
  const Icon = shown ? EyeOff : Eye;
  return (
    <Field label={label}>
      {(control) => (
        <div className="relative">
          <Input
            {...control}
            {...rest}
            required
            onChange={({ target }) => onText(target.value)}
            type={shown ? "text" : "password"}
            className="pr-11"
          />
          <button
            type="button"
            aria-pressed={shown}
            onClick={() => setShown(!shown)}
            className="absolute top-1 right-1 grid size-8 place-items-center rounded-md text-ink-3 hover:bg-raised hover:text-ink"
          >
            <Icon aria-hidden className="size-4" />
            <span className="sr-only">
              {shown ? REGISTER_TEXTS.hide : REGISTER_TEXTS.show} {toggleName}
            </span>
          </button>
        </div>
      )}
    </Field>
  );
}

/** The password of the account, asked for again before a change. */
export function CurrentPasswordField({
  label,
  value,
  onText,
}: {
  label: string;
  value: string;
  onText: (text: string) => void;
}) {
  return (
    <PasswordField
      {...{ label, value, onText }}
      name="current-password"
      autoComplete="current-password"
    />
  );
}
