import { Trash2 } from "lucide-react";
import { IconButton } from "../../../../components/icon-button.tsx";

/** One annotation in a list: clicking it shows it. */
export function ItemRow({
  text,
  title,
  onShow,
  remove,
}: {
  text: string;
  /** What a click does. */
  title: string;
  onShow: () => void;
  /** False for those who may not. */
  remove: { label: string; act: () => void } | false;
}) {
  return (
    <li className="flex items-start gap-0.5 rounded-control pr-1 hover:bg-raised">
      <button
        type="button"
        title={title}
        onClick={onShow}
        className="min-w-0 flex-1 py-1.5 pl-2 text-left break-words whitespace-pre-line"
      >
        {text}
      </button>
      {remove && <IconButton size="sm" icon={Trash2} label={remove.label} onClick={remove.act} />}
    </li>
  );
}
