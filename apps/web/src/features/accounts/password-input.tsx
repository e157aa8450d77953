import { Eye, EyeOff } from "lucide-react";
import { useState, type ComponentProps } from "react";
import { Input } from "../../components/field.tsx";
import { REGISTER_TEXTS } from "./texts.ts";

/** A password field whose text can be shown; `name` tells the toggles of two fields apart. */
export function PasswordInput({
  toggleName,
  ...rest
}: ComponentProps<"input"> & { toggleName: string }) {
  const [shown, setShown] = useState(false);
  const Icon = shown ? EyeOff : Eye;
  return (
    <div className="relative">
      <Input {...rest} type={shown ? "text" : "password"} className="pr-11" />
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
  );
}
