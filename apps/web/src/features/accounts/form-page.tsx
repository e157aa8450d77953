import type { ReactNode } from "react";

/** The frame of the sign-in screens: a heading and a card in the middle of the page. */
export function FormPage({
  title,
  text,
  children,
  below,
}: {
  title: string;
  text: string;
  children: ReactNode;
  below: ReactNode;
}) {
  return (
    <div className="grid flex-1 place-items-center px-4 py-12 sm:py-20">
      <div className="w-full max-w-[26rem]">
        <h1 className="text-center text-[2rem] leading-10">{title}</h1>
        <p className="mt-2 text-center text-ink-2">{text}</p>
        <div className="mt-8 rounded-card border border-line bg-card p-6 sm:p-8">{children}</div>
        <div className="mt-6 flex flex-col items-center gap-2 text-ink-2">{below}</div>
      </div>
    </div>
  );
}

export const TEXT_LINK =
  "rounded font-medium text-primary underline-offset-4 hover:underline cursor-pointer";
