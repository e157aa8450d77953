import type { PlatformReader } from "../platform-reader.ts";
import { openSpaceRanger } from "../space-ranger/open-sample.ts";
import { visiumScale } from "./scale.ts";

/** Space Ranger's output of any version. */
export const visiumReader: PlatformReader = {
  id: "visium",
  open: (files) => openSpaceRanger(files, { scale: visiumScale }),
};
