import { AccountSection } from "./account-section.tsx";
import { AddLists } from "./add-lists.tsx";
import { EnrichmentSection } from "./enrichment-section.tsx";
import { ListsSection } from "./lists-section.tsx";
import { SimilarSection } from "./similar-section.tsx";
import { useAccountLists } from "./use-account-lists.ts";

/** Gene lists of one's own: added, scored, and looked for in tables; and genes like one gene. */
export function GeneSetsPanel() {
  const account = useAccountLists();
  return (
    <div className="flex flex-col gap-4">
      <AddLists />
      <ListsSection account={account} />
      {account && <AccountSection account={account} />}
      <EnrichmentSection />
      <SimilarSection />
    </div>
  );
}
