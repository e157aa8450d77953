import { MAX_SCORE_GENES } from "@stipple/contract/routes/visualization";
import { Bookmark, BookmarkCheck, ChevronDown, Palette, Trash2 } from "lucide-react";
import { useState } from "react";
import { IconButton } from "../../../components/icon-button.tsx";
import { Input } from "../../../components/field.tsx";
import { joinClasses } from "../../../components/join-classes.ts";
import { useRemoved } from "../selection/panel/use-removed.tsx";
import { GeneChips } from "../genes/gene-chips.tsx";
import { PanelSection } from "../selection/panel/section.tsx";
import { isNamed } from "../state/free-names.ts";
import { useViewer, useViewerState } from "../state/viewer-context.tsx";
import type { GeneList } from "../state/viewer-store.ts";
import { addLists, removeList, withoutGenes } from "./edit-lists.ts";
import type { AccountLists } from "./use-account-lists.ts";
import type { MatchedGenes } from "../../../project/view/match-genes.ts";
import { geneSetTexts as texts } from "./texts.ts";
import { useGeneLists } from "./use-gene-lists.ts";

const MAX_SHOWN = 50;

/** The project's lists: what the sample has of each, its score, its genes. */
export function ListsSection({ account }: { account: AccountLists | null }) {
  const { store } = useViewer();
  const lists = useGeneLists();
  const [search, setSearch] = useState("");
  const { note, tellRemoved } = useRemoved();
  const found = lists.filter(({ name }) => isNamed(name, search));
  return (
    <PanelSection title={texts.lists}>
      {lists.length === 0 && !note && <p className="text-[0.8125rem] text-ink-3">{texts.empty}</p>}
      {lists.length > 8 && (
        <Input
          type="search"
          className="h-9!"
          aria-label={texts.search}
          placeholder={texts.search}
          value={search}
          onChange={({ target }) => setSearch(target.value)}
        />
      )}
      <ul className="-mx-2 empty:hidden">
        {found.slice(0, MAX_SHOWN).map((list) => (
          <ListRow
            key={list.id}
            list={list}
            account={account}
            onRemove={() => {
              removeList(store, list);
              tellRemoved({
                text: texts.removed(list.name),
                restore: () => addLists(store, [list]),
              });
            }}
          />
        ))}
      </ul>
      {found.length > MAX_SHOWN && (
        <p className="text-xs text-ink-3">{texts.more(found.length - MAX_SHOWN)}</p>
      )}
      {note}
    </PanelSection>
  );
}

function ListRow({
  list,
  account,
  onRemove,
}: {
  list: GeneList & MatchedGenes;
  account: AccountLists | null;
  onRemove: () => void;
}) {
  const { store } = useViewer();
  const [isOpen, setIsOpen] = useState(false);
  const { name, genes, known, unknown } = list;
  const scored = known.slice(0, MAX_SCORE_GENES);
  const isColoring = useViewerState(
    (state) =>
      state.colorBy === "score" &&
      scored.length > 0 &&
      state.scoreGenes.length === scored.length &&
      scored.every((gene, at) => state.scoreGenes[at] === gene),
  );
  return (
    <li className={joinClasses("rounded-control", isColoring && "bg-primary-tint")}>
      <div className="flex items-center gap-0.5 pr-1">
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={() => setIsOpen(!isOpen)}
          className="flex min-w-0 flex-1 items-center gap-1.5 rounded-control py-1.5 pl-2 text-left hover:bg-raised"
        >
          <ChevronDown
            aria-hidden
            className={joinClasses("size-4 shrink-0 text-ink-3", !isOpen && "-rotate-90")}
          />
          <span className="min-w-0 flex-1 truncate" title={name}>
            {name}
          </span>
          <span title={texts.knownTitle} className="shrink-0 pr-1 text-[0.8125rem] text-ink-2">
            {texts.known(known.length, genes.length)}
          </span>
        </button>
        {known.length > 0 && (
          <IconButton
            size="sm"
            icon={Palette}
            label={texts.color(name)}
            onClick={() => store.setState({ colorBy: "score", scoreGenes: scored })}
          />
        )}
        {account && <AccountButton list={list} account={account} />}
        <IconButton size="sm" icon={Trash2} label={texts.remove(name)} onClick={onRemove} />
      </div>
      {isOpen && (
        <div className="flex flex-col gap-1.5 px-2 pb-2 text-xs text-ink-2">
          {known.length === 0 && <p>{texts.noneKnown(name)}</p>}
          {known.length > MAX_SCORE_GENES && <p>{texts.scoreOf(MAX_SCORE_GENES, known.length)}</p>}
          <GeneChips
            genes={scored}
            onChange={(left) => {
              const gone = scored.filter((gene) => !left.includes(gene));
              if (!withoutGenes(store, list, gone)) onRemove();
            }}
          />
          {unknown.length > 0 && <p className="break-words">{texts.missing(unknown)}</p>}
        </div>
      )}
    </li>
  );
}

/** Keeps a list in the account, or takes it out again. */
function AccountButton({
  list: { name, genes },
  account,
}: {
  list: GeneList;
  account: AccountLists;
}) {
  const kept = account.lists.find((list) => list.name === name);
  const isSame =
    kept?.genes.length === genes.length && genes.every((gene, at) => gene === kept.genes[at]);
  return (
    <IconButton
      size="sm"
      icon={isSame ? BookmarkCheck : Bookmark}
      label={(isSame ? texts.account.kept : kept ? texts.account.keepAgain : texts.account.keep)(
        name,
      )}
      onClick={() =>
        void (isSame ? account.remove(name) : account.keep({ name, genes: [...genes] }))
      }
    />
  );
}
