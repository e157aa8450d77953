import { useRef, type ComponentProps } from "react";
import { Button } from "./button.tsx";

/** A button that asks for files, which can be chosen again after they were mended. */
export function FileButton({
  input,
  onFiles,
  ...button
}: ComponentProps<typeof Button> & {
  input: ComponentProps<"input">;
  onFiles: (files: readonly File[]) => void;
}) {
  const chooser = useRef<HTMLInputElement>(null);
  const take = (target: HTMLInputElement): void => {
    onFiles([...(target.files ?? [])]);
    target.value = "";
  };
  return (
    <>
      <Button {...button} onClick={() => chooser.current?.click()} />
      <input {...input} ref={chooser} type="file" hidden onChange={({ target }) => take(target)} />
    </>
  );
}
