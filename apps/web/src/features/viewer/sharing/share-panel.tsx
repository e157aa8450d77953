import type { ReactNode } from "react";
import { sharingTexts as texts } from "../../../texts/viewer-sharing.ts";
import { useViewer } from "../state/viewer-context.tsx";
import { CopyButton } from "./copy-button.tsx";
import { CopyViewLink } from "./copy-view-link.tsx";
import { ProgramsSection } from "./programs-section.tsx";
import { SavedViewsSection } from "./saved-views-section.tsx";
import { ShareLinksSection } from "./share-links-section.tsx";
import { useOwnership, type Onlooker } from "./use-ownership.ts";
import { withPicture } from "./with-picture.ts";

/** Everything for sharing the view: its URL, named views, share links, and other programs. */
export function SharePanel() {
  const { store, expiresAt } = useViewer();
  const { onlooker, shares, failed } = useOwnership();
  return (
    <div className="flex flex-col gap-5">
      {(onlooker === "owner" || onlooker === "readOnly") && (
        <Section
          title={texts.thisView}
          text={onlooker === "owner" ? texts.thisViewText : texts.thisViewOfGuest(expiresAt)}
        >
          {onlooker === "owner" ? (
            <CopyViewLink openShares={shares} />
          ) : (
            // A guest's URL already is a share link.
            <CopyButton className="w-full" text={() => withPicture(window.location.href, store)}>
              {texts.copyView}
            </CopyButton>
          )}
        </Section>
      )}
      <OnlookerNote onlooker={onlooker} />
      <Section title={texts.views} text={texts.viewsText}>
        <SavedViewsSection isOwner={onlooker === "owner"} />
      </Section>
      {(onlooker === "owner" || failed) && (
        <Section title={texts.links} text={texts.linksText}>
          <ShareLinksSection shares={shares} failed={failed} />
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

function OnlookerNote({ onlooker }: { onlooker: Onlooker }) {
  if (onlooker === "owner" || onlooker === "unknown") return null;
  const sentence = {
    readOnly: texts.readOnly,
    signedOut: texts.signedOut,
    other: texts.otherAccount,
  }[onlooker];
  return (
    <p className="rounded-control bg-info-tint px-3 py-2.5 text-[0.8125rem] text-ink">
      {sentence}
      {onlooker === "signedOut" && (
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
