import { createShare, revokeShare } from "@stipple/contract/routes/visualization";
import { useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { api } from "../../../app/api.ts";
import { CopyButton } from "../../../project/share-links/copy-button.tsx";
import { ShareLinks, type SharedByLinks } from "../../../project/share-links/share-links.tsx";
import { sharingTexts as texts } from "./texts.ts";
import { useViewer } from "../state/viewer-context.tsx";
import { CopyViewLink } from "./copy-view-link.tsx";
import { ProgramsSection } from "./programs-section.tsx";
import { SavedViewsSection } from "./saved-views-section.tsx";
import { sharesKey, useOwnership, type ViewerRole } from "./use-ownership.ts";
import { withPicture } from "./with-picture.ts";

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
