import { Button } from "../../../components/button.tsx";

/** Small buttons at the end of a plot, one for each kind of file. */
export function SaveButtons<Kind extends string>({
  texts,
  onSave,
}: {
  texts: {
    save: Readonly<Record<Kind, string>>;
    /** The same for screen readers. */
    saveAs: Readonly<Record<Kind, string>>;
  };
  onSave: (kind: Kind) => void;
}) {
  return (Object.keys(texts.save) as Kind[]).map((kind) => (
    <Button
      key={kind}
      size="sm"
      variant="ghost"
      aria-label={texts.saveAs[kind]}
      onClick={() => onSave(kind)}
    >
      {texts.save[kind]}
    </Button>
  ));
}
