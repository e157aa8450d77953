import { CircleAlert } from "lucide-react";
import { useId, type ComponentProps, type ReactNode } from "react";
import { joinClasses } from "./join-classes.ts";

/** What a control inside a Field spreads onto itself so that label, hint and error belong to it. */
export interface ControlProps {
  id: string;
  "aria-describedby"?: string;
  "aria-invalid"?: true;
}

export interface FieldProps {
  label: ReactNode;
  hint?: ReactNode;
  /** Shown in red under the control, which is then marked invalid. */
  error?: string | null | undefined;
  className?: string | undefined;
  children: (control: ControlProps) => ReactNode;
}

/** Label, control, hint and error: `<Field label="Email">{(control) => <Input {...control} />}</Field>`. */
export function Field({ label, hint, error, className, children }: FieldProps) {
  const id = useId();
  const describedBy = [hint ? `${id}-hint` : "", error ? `${id}-error` : ""]
    .filter(Boolean)
    .join(" ");
  return (
    <div className={joinClasses("flex flex-col gap-1.5", className)}>
      <label htmlFor={id} className="font-medium">
        {label}
      </label>
      {children({
        id,
        ...(describedBy && { "aria-describedby": describedBy }),
        ...(error && { "aria-invalid": true as const }),
      })}
      {hint && (
        <p id={`${id}-hint`} className="text-[0.8125rem] text-ink-3">
          {hint}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} className="flex items-center gap-1.5 text-bad">
          <CircleAlert aria-hidden className="size-4 shrink-0" />
          {error}
        </p>
      )}
    </div>
  );
}

type WithField<Control, Told> = Omit<FieldProps, "children"> &
  Omit<Control, "onChange" | "className"> & { inputClass?: string } & Told;

/** A field with an input: `<TextField label="Email" value={email} onText={setEmail} />`. */
export function TextField({
  label,
  hint,
  error,
  className,
  inputClass,
  onText,
  ...input
}: WithField<ComponentProps<"input">, { onText: (text: string) => void }>) {
  return (
    <Field {...{ label, hint, error, className }}>
      {(control) => (
        <Input
          {...control}
          {...input}
          className={inputClass}
          onChange={({ target }) => onText(target.value)}
        />
      )}
    </Field>
  );
}

/** A field with a select, whose options are its children. */
export function SelectField({
  label,
  hint,
  error,
  className,
  inputClass,
  onValue,
  ...select
}: WithField<ComponentProps<"select">, { onValue: (value: string) => void }>) {
  return (
    <Field {...{ label, hint, error, className }}>
      {(control) => (
        <Select
          {...control}
          {...select}
          className={inputClass}
          onChange={({ target }) => onValue(target.value)}
        />
      )}
    </Field>
  );
}

const CONTROL =
  "w-full rounded-control border border-line-input bg-card px-3 text-ink transition-colors duration-150 placeholder:text-ink-3 hover:border-ink-3 focus-visible:outline-offset-0 aria-invalid:border-bad disabled:bg-raised disabled:text-ink-3";

export function Input({ className, ...rest }: ComponentProps<"input">) {
  return <input className={joinClasses(CONTROL, "h-10", className)} {...rest} />;
}

export function TextArea({ className, ...rest }: ComponentProps<"textarea">) {
  return <textarea className={joinClasses(CONTROL, "min-h-32 py-2", className)} {...rest} />;
}

/** The browser's own select: keyboard, touch and screen readers work for free. */
export function Select({ className, ...rest }: ComponentProps<"select">) {
  return <select className={joinClasses(CONTROL, "h-10", className)} {...rest} />;
}

/** The options of a select: what each stands for, and what it is called. */
export function Options({
  of,
}: {
  of: readonly (readonly [value: string | number, name: string])[];
}) {
  return of.map(([value, name]) => (
    <option key={value} value={value}>
      {name}
    </option>
  ));
}
