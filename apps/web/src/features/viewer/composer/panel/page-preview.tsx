import { useEffect, useState } from "react";
import { joinClasses } from "../../../../components/join-classes.ts";
import type { DrawnPage } from "../drawing/draw-page.ts";
import { pictureStyle } from "../files/fonts.ts";
import { lettersOf, type PaperFigure } from "../figures.ts";
import { pageLayout } from "../page/layout.ts";
import { composerTexts as texts } from "../texts.ts";

/** The page as it will be, with a button over each panel that chooses it. */
export function PagePreview({
  figure,
  page,
  chosen,
  onChoose,
}: {
  figure: PaperFigure;
  page: DrawnPage | null;
  chosen: string | null;
  onChoose: (id: string) => void;
}) {
  const address = usePicture(page);
  const { width, height, panels } = pageLayout(figure);
  const letters = lettersOf(figure);
  const share = (length: number, of: number) => `${(100 * length) / of}%`;
  return (
    <div
      className="relative w-full overflow-hidden rounded-sm border border-line bg-white shadow-sm"
      style={{ aspectRatio: `${width} / ${height}` }}
    >
      {address && (
        <img
          src={address}
          alt={texts.pageOf(figure.name, figure.widthMm, figure.heightMm)}
          className="absolute inset-0 size-full"
        />
      )}
      {panels.map(({ panel: { id, title }, box }) => (
        <button
          key={id}
          type="button"
          aria-pressed={id === chosen}
          aria-label={texts.choosePanel(letters.get(id) ?? "", title)}
          onClick={() => onChoose(id)}
          className={joinClasses(
            "absolute rounded-sm outline-offset-1 hover:ring-2 hover:ring-primary/40",
            id === chosen && "ring-2 ring-primary!",
          )}
          style={{
            left: share(box.x, width),
            top: share(box.y, height),
            width: share(box.width, width),
            height: share(box.height, height),
          }}
        />
      ))}
    </div>
  );
}

/** Address of a page's picture while it is shown; of the last one while the next is prepared. */
function usePicture(page: DrawnPage | null): string | null {
  const [address, setAddress] = useState<string | null>(null);
  useEffect(() => {
    if (!page) return;
    let made: string | null = null;
    let isGone = false;
    const make = async (): Promise<void> => {
      const style = await pictureStyle().catch(() => "");
      if (isGone) return;
      made = URL.createObjectURL(new Blob([page.svg(style)], { type: "image/svg+xml" }));
      setAddress(made);
    };
    void make();
    return () => {
      isGone = true;
      // The picture has been read by then, so it stays until the next one.
      if (made) URL.revokeObjectURL(made);
    };
  }, [page]);
  return address;
}
