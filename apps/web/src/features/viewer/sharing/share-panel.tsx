import { createShare, revokeShare } from "@stipple/contract/routes/visualization";
import { useQueryClient } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { api } from "../../../app/api.ts";
import { CopyButton } from "../../../project/share-links/copy-button.tsx";
import { ShareLinks, type SharedByLinks } from "../../../project/share-links/share-links.tsx";
import { sharingTexts as texts } from "./texts.ts";
import { useViewer, useViewerState } from "../state/viewer-context.tsx";
import { CopyViewLink } from "./copy-view-link.tsx";
import { SavedViewsSection } from "./saved-views-section.tsx";
import { sharesKey, useOwnership, type ViewerRole } from "./use-ownership.ts";
import { withPicture } from "./with-picture.ts";
import { Options, SelectField } from "../../../components/field.tsx";
import { programs } from "./programs.ts";

/** Everything for sharing the view: its URL, named views, share links, and other programs. */
export function SharePanel() {
  const { store, projectId, expiresAt } = useViewer();
  const client = useQueryClient();
  const { role, shares, failed } = useOwnership();
  const links: SharedByLinks = {
    ...{ shares, failed },
    async create(body) {
      const share = await api(createShare, { params: { id: projectId }, body });
      return { ...share, url: withPicture(share.url ?? "", store) };
    },
    revoke: (share) => api(revokeShare, { params: { id: projectId, share } }),
    renew: () => client.invalidateQueries({ queryKey: sharesKey(projectId) }),
  };
  return (
    <div className="flex flex-col gap-5">
      {(role === "owner" || role === "readOnly") && (
        <Section
          title={texts.thisView}
          text={role === "owner" ? texts.thisViewText : texts.thisViewOfGuest(expiresAt)}
        >
          {role === "owner" ? (
            <CopyViewLink openShares={shares} />
          ) : (
            // A guest's URL already is a share link.
            <CopyButton className="w-full" text={() => withPicture(window.location.href, store)}>
              {texts.copyView}
            </CopyButton>
          )}
        </Section>
      )}
      <ViewerRoleNote role={role} />
      <Section title={texts.views} text={texts.viewsText}>
        <SavedViewsSection isOwner={role === "owner"} />
      </Section>
      {(role === "owner" || failed) && (
        <Section title={texts.links} text={texts.linksText}>
          <ShareLinks links={links} opens={texts.linkOpens} />
        </Section>
      )}
      <Section title={texts.programs} text={texts.programsText}>
        <ProgramsSection />
      </Section>
    </div>
  );
}

function Section({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  return (
    <section className="flex flex-col gap-3 border-t border-line pt-4 first:border-0 first:pt-0">
      <div>
        <h3 className="text-sm font-semibold">{title}</h3>
        <p className="text-[0.8125rem] text-ink-3">{text}</p>
      </div>
      {children}
    </section>
  );
}

function ViewerRoleNote({ role }: { role: ViewerRole }) {
  if (role === "owner" || role === "unknown") return null;
  const sentence = {
    readOnly: texts.readOnly,
    signedOut: texts.signedOut,
    other: texts.otherAccount,
  }[role];
  return (
    <p className="rounded-control bg-info-tint px-3 py-2.5 text-[0.8125rem] text-ink">
      {sentence}
      {role === "signedOut" && (
        <>
          {" "}
          <a href="/login" target="_blank" className="text-primary underline underline-offset-2">
            {texts.logIn}
          </a>
        </>
      )}
    </p>
  );
}

/** How to open the downloaded results in other programs, for this project and the displayed gene. */
function ProgramsSection() {
  const { manifest, projectName, readOnly, mayExport } = useViewer();
  const gene = useViewerState((shown) => shown.gene);
  const colorBy = useViewerState((shown) => shown.colorBy);
  const list = programs({
    projectName,
    gene: gene ?? manifest.genes[0] ?? null,
    showsGene: colorBy === "gene" && gene !== null,
    // Where no cells were found, spots are used as cells.
    spotLevel: manifest.nCells === manifest.nSpots,
    hd: manifest.binSidePx !== null,
  });
  const [chosen, setChosen] = useState(list[0]?.id);
  const program = list.find(({ id }) => id === chosen) ?? list[0];

  return (
    <>
      {readOnly && (
        <p className="text-[0.8125rem] text-ink-3">
          {mayExport ? texts.programsReadOnly : texts.programsReadOnlyTrial}
        </p>
      )}
      {!mayExport && !readOnly && (
        <p className="rounded-control bg-warn-tint px-3 py-2.5 text-[0.8125rem] text-ink">
          {texts.programsTrial}{" "}
          <a href="/pricing" target="_blank" className="text-primary underline underline-offset-2">
            {texts.toPricing}
          </a>
        </p>
      )}
      <SelectField label={texts.program} value={chosen} onValue={setChosen}>
        <Options of={list.map(({ id, name }) => [id, name])} />
      </SelectField>
      {program && (
        <ol className="flex flex-col gap-4">
          {program.steps.map(({ text, code }, at) => (
            <li key={text} className="flex flex-col gap-2">
              <p className="text-[0.8125rem] break-words">{text}</p>
              {code !== undefined && (
                <>
                  <pre
                    tabIndex={0}
                    role="region"
                    aria-label={texts.code(program.name, at + 1)}
                    className="max-h-56 overflow-auto rounded-control border border-line bg-raised p-3 font-mono text-xs leading-5"
                  >
                    {code}
                  </pre>
                  <CopyButton
                    size="sm"
                    className="self-start"
                    aria-label={texts.copyCode(program.name, at + 1)}
                    text={() => code}
                  />
                </>
              )}
            </li>
          ))}
        </ol>
      )}
    </>
  );
}
