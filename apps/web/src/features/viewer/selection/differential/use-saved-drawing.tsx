import {
  useEffect,
  useMemo,
  useRef,
  useState,
  type ComponentProps,
  type CSSProperties,
  type ReactNode,
} from "react";
import { fileName, savePng, saveSvg } from "../../../../components/save-drawing.ts";
import { useToast } from "../../../../components/toast-store.ts";
import { useViewer } from "../../state/viewer-context.tsx";
import { differentialTexts } from "./texts.ts";
import { VolcanoDrawing, volcanoScales } from "./volcano-drawing.tsx";

/** Size of saved images, px: room for gene labels, however narrow the panel is. */
const FILE = { width: 720, height: 520 };
/** Light-mode colors: files are dark on white, whatever the page's theme. */
const PAPER = {
  colorScheme: "light",
  "--card": "#ffffff",
  "--ink": "#0f1b2a",
  "--ink-2": "#46566a",
  "--ink-3": "#5f6e80",
  "--line-input": "#7b8794",
  "--missing": "#c9d1da",
} as CSSProperties;

/** Saves the plot at a size of its own: `sheet`, out of sight, is what is saved. */
export function useSavedDrawing(
  drawing: Omit<ComponentProps<typeof VolcanoDrawing>, "ref" | "scales" | "active">,
): { save: (kind: "png" | "svg") => void; sheet: ReactNode } {
  const { projectName } = useViewer();
  const toast = useToast();
  const sheet = useRef<SVGSVGElement>(null);
  const [saving, setSaving] = useState<"png" | "svg" | null>(null);
  const { points, title } = drawing;
  const scales = useMemo(() => volcanoScales(points, FILE.width, FILE.height), [points]);
  useEffect(() => {
    if (saving === null || !sheet.current) return;
    const name = fileName(projectName, "volcano", title);
    const saved =
      saving === "png"
        ? savePng(sheet.current, name)
        : Promise.resolve(saveSvg(sheet.current, name));
    saved
      .catch(() => toast(differentialTexts.volcano.saveFailed, { failed: true }))
      .finally(() => setSaving(null));
  }, [saving, projectName, title, toast]);
  return {
    save: setSaving,
    sheet: saving && (
      <div aria-hidden className="pointer-events-none fixed top-0 left-[-9999px]" style={PAPER}>
        <VolcanoDrawing {...drawing} ref={sheet} scales={scales} active={-1} />
      </div>
    ),
  };
}
