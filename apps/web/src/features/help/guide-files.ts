import type { HelpPageName } from "@stipple/contract/help-pages";
import type { GuidePage } from "../../../guide.ts";

const files = import.meta.glob<{ default: GuidePage }>("../../../../../docs/guide/*.md");

/** Loads a page of the guide. */
export async function loadGuidePage(name: HelpPageName): Promise<GuidePage> {
  return (await files[`../../../../../docs/guide/${name}.md`]!()).default;
}
