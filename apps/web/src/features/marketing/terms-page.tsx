import { TERMS } from "../../texts/legal.ts";
import { LegalPage } from "./legal-page.tsx";

export function TermsPage() {
  return <LegalPage text={TERMS} />;
}
