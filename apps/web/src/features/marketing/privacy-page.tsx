import { PRIVACY } from "./legal-texts.ts";
import { LegalPage } from "./legal-page.tsx";

export function PrivacyPage() {
  return <LegalPage text={PRIVACY} />;
}
