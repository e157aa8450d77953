import { SlidersHorizontal } from "lucide-react";
import { useState } from "react";
import { useLocation } from "wouter";
import { useBrowserLocation } from "../../app/location.tsx";
import { Button } from "../../components/button.tsx";
import { changeTexts as TEXTS } from "./texts.ts";
import { Dialog } from "../../components/dialog.tsx";
import { ChangeForm } from "./change-form.tsx";
import { CHANGE_PARAMETER } from "../../app/change-path.ts";

/** Opens "Change and run again"; an address that asks for it opens it at once, with the analysis type that it names. */
export function ChangeButton({
  projectId,
  ready,
  hasCells,
}: {
  projectId: string;
  ready: boolean;
  hasCells: boolean;
}) {
  const { pathname, search } = useBrowserLocation();
  const [, navigate] = useLocation();
  const asked = new URLSearchParams(search).get(CHANGE_PARAMETER);
  const [clicked, setClicked] = useState(false);

  function close(): void {
    setClicked(false);
    if (asked === null) return;
    const rest = new URLSearchParams(search);
    rest.delete(CHANGE_PARAMETER);
    navigate(`${pathname}?${rest}`, { replace: true });
  }

  return (
    <>
      <Button
        className="max-sm:w-full"
        icon={SlidersHorizontal}
        disabled={!ready}
        onClick={() => setClicked(true)}
      >
        {TEXTS.button}
      </Button>
      <Dialog
        wide
        open={ready && (clicked || asked !== null)}
        onClose={close}
        title={TEXTS.title}
        description={TEXTS.text}
      >
        <ChangeForm
          projectId={projectId}
          proposed={asked === "basic" || asked === "advanced" ? asked : undefined}
          hasCells={hasCells}
          onClose={close}
        />
      </Dialog>
    </>
  );
}
