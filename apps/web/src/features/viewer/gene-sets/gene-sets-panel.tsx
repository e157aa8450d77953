import { AddLists } from "./add-lists.tsx";
import { EnrichmentSection } from "./enrichment-section.tsx";
import { ListsSection } from "./lists-section.tsx";
import { SimilarSection } from "./similar-section.tsx";
import { useAccountLists, type AccountLists } from "./use-account-lists.ts";
import { Plus, Trash2 } from "lucide-react";
import { IconButton } from "../../../components/icon-button.tsx";
import { PanelSection } from "../selection/panel/section.tsx";
import { useViewer, useViewerState } from "../state/viewer-context.tsx";
import { addLists } from "./edit-lists.ts";
import { geneSetTexts } from "./texts.ts";

const texts = geneSetTexts.account;

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

/** Lists in the account that are not in the project. */
function AccountSection({ account }: { account: AccountLists }) {
  const { store } = useViewer();
  const here = useViewerState((state) => state.geneLists);
  const others = account.lists.filter(({ name }) => !here.some((list) => list.name === name));
  if (others.length === 0) return null;
  return (
    <PanelSection title={texts.title}>
      <ul className="-mx-2 max-h-72 overflow-auto">
        {others.map((list) => (
          <li key={list.name} className="flex items-center gap-0.5 pr-1 pl-2">
            <span className="min-w-0 flex-1 truncate" title={list.name}>
              {list.name}
            </span>
            <span className="shrink-0 pr-1 text-[0.8125rem] text-ink-2">
              {texts.genes(list.genes.length)}
            </span>
            <IconButton
              size="sm"
              icon={Plus}
              label={texts.use(list.name)}
              onClick={() => addLists(store, [list])}
            />
            <IconButton
              size="sm"
              icon={Trash2}
              label={texts.remove(list.name)}
              onClick={() => void account.remove(list.name)}
            />
          </li>
        ))}
      </ul>
    </PanelSection>
  );
}
