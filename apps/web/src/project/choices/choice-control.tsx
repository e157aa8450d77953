import { Options, Field, Input, Select } from "../../components/field.tsx";
import { choiceTexts } from "./texts.ts";
import { labelOf, type Choice } from "./choice-schema.ts";

/** A control for one value, chosen by its schema. Empty or "default" unsets the choice. */
export function ChoiceControl({
  choice: { path, schema },
  value,
  onChange,
}: {
  choice: Choice;
  value: unknown;
  onChange(value: unknown): void;
}) {
  const label = labelOf(path);
  const usual = schema.default;
  const options = schema.type === "boolean" ? [true, false] : schema.enum;
  return (
    <Field label={label} hint={schema.description}>
      {(control) =>
        options ? (
          <Select
            {...control}
            value={value === undefined ? "" : JSON.stringify(value)}
            onChange={({ target }) =>
              onChange(target.value === "" ? undefined : JSON.parse(target.value))
            }
          >
            <option value="">{choiceTexts.usual(usual)}</option>
            <Options
              of={options.map((option) => [JSON.stringify(option), choiceTexts.option(option)])}
            />
          </Select>
        ) : (
          <Input
            {...control}
            {...(schema.type === "string"
              ? {}
              : { type: "number", inputMode: "decimal", ...rangeOf(schema) })}
            value={value === undefined ? "" : String(value)}
            placeholder={choiceTexts.usual(usual)}
            onChange={({ target }) => onChange(typed(target.value, schema.type))}
          />
        )
      }
    </Field>
  );
}

function typed(text: string, type: Choice["schema"]["type"]): unknown {
  if (text === "") return undefined;
  return type === "string" ? text : Number(text);
}

function rangeOf(schema: Choice["schema"]): { min?: number; max?: number; step: number | "any" } {
  const { minimum = schema.exclusiveMinimum, maximum, type } = schema;
  const isBound = (value: number | undefined): value is number =>
    value !== undefined && Math.abs(value) < Number.MAX_SAFE_INTEGER;
  return {
    step: type === "integer" ? 1 : "any",
    ...(isBound(minimum) ? { min: minimum } : {}),
    ...(isBound(maximum) ? { max: maximum } : {}),
  };
}
