import type { Rolldown } from "vite";

type Group = Rolldown.CodeSplittingGroup;

/** Code shared by several pages goes into one file per subject, not one per set of pages. */
function shared(name: string, test: RegExp): Group {
  return { name, test, minShareCount: 2 };
}

/**
 * How the pages' modules are grouped into files; each group takes what earlier ones left, with its imports. Few files
 * compress better, ask the network less often, and keep short the lists in the first file of what each page needs.
 * Nothing here may bring the code of signed-in pages to visitors: e2e/page-audit.test.ts watches it.
 */
export const CHUNKS: Group[] = [
  // On every page; also the title and the two icons, because tiny files are mostly overhead.
  { name: "index", test: /\/src\/main\.tsx$|\/app\/use-page-title|\/icons\/(play|arrow-right)\./ },
  shared(
    "illustration",
    /\/features\/marketing\/(tissue|section|services-texts)|\/app\/validation-figures\./,
  ),
  // The interactive view needs no code from the work pages.
  shared(
    "contract",
    /\/zod\/|\/contract\/src\/(errors|routes\/(visualization|define)|verdict|viewer-manifest|annotation-limits)/,
  ),
  // What the view loads after its cells; no other page needs it.
  shared("contract-view", /\/contract\/src\/(annotations|routes\/(annotations|exploring))/),
  shared(
    "contract-work",
    /\/packages\/contract\/src\/(?!counted|gene-list|packed-rates|point-names|sample-sheet|study-points|tissues|routes\/stud)/,
  ),
  // What only the pages of studies need.
  shared("contract-studies", /\/contract\/src\/(sample-sheet|study-points|tissues|routes\/stud)/),
  // Dialogs and sliders come with their own library, which few pages need.
  shared(
    "ui",
    /\/src\/components\/(?!dialog|confirm-dialog|range-slider|quantile-slider|help-)|\/lucide-react\//,
  ),
  shared(
    "app",
    /\/src\/app\/(?!subscription|queries|polling\/use-shared)|\/project\/option-names\./,
  ),
  // Needed where there is a "?", which is on few pages.
  shared("help", /\/components\/help-|\/contract\/src\/help-pages/),
  // What dialogs, menus, and lists have in common; each one's own part stays apart.
  { name: "popups", test: /\/@base-ui\/|\/@floating-ui\//, minShareCount: 6 },
  shared("accounts", /\/src\/features\/accounts/),
  // Also used by the interactive view, which needs nothing else from the work pages.
  shared("queries", /\/@tanstack\/|\/contract\/src\/counted\./),
  // What the interactive view and its panels share; after what they share with other pages.
  shared(
    "view",
    /\/project\/view\/|\/(gene-list|packed-rates|channel-choices|shown-value-names)\.|\/features\/viewer\/(state|data|annotations\/(annotation-store|use-annotations|requests|new-id)|regions\/(measures\/(use|measure-name|place)|region-shape|use-regions))/,
  ),
  shared(
    "work",
    /\/src\/(app\/|project\/(?!verdict|pieces|change|share-links|references|own-files|uploads\/(slot-row|slot-progress|use-slot)))|\/features\/(analysis-setup|billing|projects|results|upload|workflow)\//,
  ),
  // What every page needs once somebody is signed in.
  { name: "session", test: /\/app\/(session-keeper|user-menu-button)\./ },
  // Pages that are rarely opened, together: the first file lists fewer.
  { name: "legal", test: /\/features\/marketing\/(legal|terms|privacy)-/ },
  {
    name: "emailed",
    test: /\/features\/accounts\/(forgot-password|reset-password|verify-email)-page/,
  },
].map((group, at) => ({ ...group, priority: 100 - at }));
