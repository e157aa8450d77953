import { useState } from "react";
import { TextField } from "../../../../components/field.tsx";
import { SMALL_FIELD } from "../../plots/controls/labeled.tsx";
import { composerTexts as texts } from "../texts.ts";

interface EditProps<Value> {
  label: string;
  value: Value;
  onChange: (value: Value) => void;
}

/** A text that is taken when the field is left, or with Enter: each change is one that can be undone. */
export function TextEdit({
  label,
  value,
  onChange,
  least = 0,
  most,
}: EditProps<string> & { least?: number; most: number }) {
  const [written, setWritten] = useState({ of: value, text: value });
  if (written.of !== value) setWritten({ of: value, text: value });
  const take = (): void => {
    const text = written.text.trim();
    if (text.length < least) setWritten({ of: value, text: value });
    else if (text !== value) onChange(text);
  };
  return (
    <TextField
      label={label}
      className={SMALL_FIELD}
      inputClass="h-9! px-2!"
      autoComplete="off"
      maxLength={most}
      value={written.text}
      onText={(text) => setWritten({ of: value, text })}
      onBlur={take}
      onKeyDown={({ key }) => key === "Enter" && take()}
    />
  );
}

/** A number, taken as a text is; one out of range is refused with a sentence. */
export function NumberEdit({
  label,
  value,
  onChange,
  range: { least, most },
}: EditProps<number> & { range: { least: number; most: number } }) {
  const [written, setWritten] = useState({ of: value, text: `${value}`, isBad: false });
  if (written.of !== value) setWritten({ of: value, text: `${value}`, isBad: false });
  const take = (): void => {
    const number = written.text.trim() === "" ? NaN : Number(written.text.replace(",", "."));
    const isBad = !(number >= least && number <= most);
    if (isBad) setWritten({ ...written, isBad });
    else if (number !== value) onChange(number);
    else setWritten({ of: value, text: `${value}`, isBad: false });
  };
  return (
    <TextField
      label={label}
      className={SMALL_FIELD}
      error={written.isBad ? texts.outOfRange(least, most) : null}
      inputClass="h-9! px-2!"
      inputMode="decimal"
      autoComplete="off"
      value={written.text}
      onText={(text) => setWritten({ of: value, text, isBad: false })}
      onBlur={take}
      onKeyDown={({ key }) => key === "Enter" && take()}
    />
  );
}
