import { useNavigate } from "react-router";
import { useSession } from "../../app/session.ts";
import { storedToken } from "../../app/token.ts";
import { Button, type ButtonVariant } from "../../components/button.tsx";
import { HOME_TEXTS } from "../../texts/home.ts";

/** Only for visitors without a token; the click looks again, because another tab may have signed in meanwhile. */
export function TryFreeButton({ variant = "primary" }: { variant?: ButtonVariant }) {
  const { state } = useSession();
  const navigate = useNavigate();
  if (state !== "out") return null;
  return (
    <Button
      variant={variant}
      size="lg"
      onClick={() => void navigate(storedToken() ? "/dashboard" : "/login")}
    >
      {HOME_TEXTS.tryFree}
    </Button>
  );
}
