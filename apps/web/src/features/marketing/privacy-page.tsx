import { PRIVACY } from "../../texts/legal.ts";
import { LegalPage } from "./legal-page.tsx";

export function PrivacyPage() {
  return <LegalPage text={PRIVACY} />;
}
