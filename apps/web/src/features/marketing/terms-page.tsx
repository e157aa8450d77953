import { TERMS } from "./legal-texts.ts";
import { LegalPage } from "./legal-page.tsx";

export function TermsPage() {
  return <LegalPage text={TERMS} />;
}
