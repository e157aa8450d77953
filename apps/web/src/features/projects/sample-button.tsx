import { useMutation } from "@tanstack/react-query";
import { FlaskConical } from "lucide-react";
import { errorText } from "../../app/api.ts";
import { useNavigateFromHere } from "../../app/use-navigate-from-here.ts";
import { Button } from "../../components/button.tsx";
import { toast } from "../../components/toast-store.ts";
import { DASHBOARD_TEXTS as TEXTS } from "./texts.ts";
import { startSample } from "../../project/start-sample.ts";

/** Starts an analysis of the simulated tissue and opens its workflow. */
export function SampleButton() {
  const navigate = useNavigateFromHere();
  const { mutate, isPending, isSuccess } = useMutation({
    mutationFn: startSample,
    onSuccess: ({ to, state }) => navigate(to, { state }),
    onError: (error) => toast(errorText(error, TEXTS.sampleFailed), { failed: true }),
  });
  // Until the next page is there.
  const busy = isPending || isSuccess;
  return (
    <Button busy={busy} icon={FlaskConical} onClick={() => mutate()}>
      {busy ? TEXTS.preparingSample : TEXTS.trySample}
    </Button>
  );
}
