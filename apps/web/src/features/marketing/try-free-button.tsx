import { useLocation } from "wouter";
import { lookForToken, useSession } from "../../app/session.ts";
import { storedToken } from "../../app/token.ts";
import { Button, type ButtonVariant } from "../../components/button.tsx";
import { HOME_TEXTS } from "./home/texts.ts";

/** Only for visitors without a token; the click looks again, because another tab may have signed in meanwhile. */
export function TryFreeButton({ variant = "primary" }: { variant?: ButtonVariant }) {
  const { state } = useSession();
  const [, navigate] = useLocation();
  if (state !== "out") return null;
  const go = (): void => {
    if (storedToken() === null) return navigate("/login");
    lookForToken();
    navigate("/dashboard");
  };
  return (
    <Button variant={variant} size="lg" onClick={go}>
      {HOME_TEXTS.tryFree}
    </Button>
  );
}
