/** Heading and first sentences of a marketing page. */
export function PageIntro({ title, text }: { title: string; text: string }) {
  return (
    <div className="mx-auto w-full max-w-[1200px] px-4 pt-14 sm:px-6 lg:pt-20">
      <h1 className="text-[2.5rem] leading-[1.1] tracking-[-0.03em] sm:text-5xl">{title}</h1>
      <p className="mt-5 max-w-2xl text-lg leading-8 text-ink-2">{text}</p>
    </div>
  );
}
