import { FlaskConical } from "lucide-react";
import { useState } from "react";
import { errorText } from "../../app/api.ts";
import { useNavigateFromHere } from "../../app/use-navigate-from-here.ts";
import { Button } from "../../components/button.tsx";
import { toast } from "../../components/toast-store.ts";
import { DASHBOARD_TEXTS as TEXTS } from "./texts.ts";
import { startSample } from "../../project/start-sample.ts";

/** Starts an analysis of the simulated tissue and opens its workflow. */
export function SampleButton() {
  const navigate = useNavigateFromHere();
  const [busy, setBusy] = useState(false);
  const create = async (): Promise<void> => {
    setBusy(true);
    try {
      const { to, state } = await startSample();
      navigate(to, { state });
    } catch (error) {
      toast(errorText(error, TEXTS.sampleFailed), { failed: true });
      setBusy(false);
    }
  };
  return (
    <Button busy={busy} icon={FlaskConical} onClick={() => void create()}>
      {busy ? TEXTS.preparingSample : TEXTS.trySample}
    </Button>
  );
}
