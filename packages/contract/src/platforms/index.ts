import { HD_VISIUM } from "./hd-visium.ts";
import type { Platform } from "./platform.ts";
import { ST } from "./st.ts";
import type { UploadSlot } from "./upload-slot.ts";
import { VISIUM } from "./visium.ts";

/** Every platform that can be analyzed. A new one = a file here and in this list, and a reader in the pipeline. */
export const PLATFORMS = [VISIUM, HD_VISIUM, ST] as const satisfies readonly Platform[];

export type PlatformId = (typeof PLATFORMS)[number]["id"];
/** Bin size in µm, as a word. */
export type Resolution = (typeof PLATFORMS)[number]["resolutions"][number];

export const PLATFORM_IDS = PLATFORMS.map(({ id }) => id);
export const DEFAULT_PLATFORM: PlatformId = PLATFORMS[0].id;
export const RESOLUTIONS: readonly Resolution[] = PLATFORMS.flatMap(
  ({ resolutions }): readonly Resolution[] => resolutions,
);

/** The platform with this id; Visium for an unknown one, so that a project of a newer version breaks no list. */
export function platformById(id: PlatformId): Platform {
  return PLATFORMS.find((platform) => platform.id === id) ?? VISIUM;
}

/** The platforms with bins to choose, for sentences about `resolution`. */
export function binnedPlatforms(): Platform[] {
  return PLATFORMS.filter(({ resolutions }) => resolutions.length > 0);
}

/** The slot of a platform that an upload's group and part address, or undefined when there is none. */
export function findSlot(
  platform: PlatformId,
  group: string,
  part: string | undefined,
): UploadSlot | undefined {
  return platformById(platform).slots.find((slot) => slot.group === group && slot.part === part);
}

/** The requirements that are not met by the filled slots, each with what is missing of its first alternative. */
export function unmetRequirements(
  platform: PlatformId,
  filled: ReadonlySet<string>,
): { missing: UploadSlot[]; otherwise: string | undefined }[] {
  const { slots, requires } = platformById(platform);
  return requires.flatMap(({ oneOf, otherwise }) => {
    if (oneOf.some((alternative) => alternative.every((id) => filled.has(id)))) return [];
    const [usual = []] = oneOf;
    const missing = slots.filter(({ id }) => usual.includes(id) && !filled.has(id));
    // Once one alternative has been started, the others are not shown.
    return [{ missing, otherwise: missing.length === usual.length ? otherwise : undefined }];
  });
}

/** The slots that must be filled before a workflow can start, given those that are. */
export function missingSlots(platform: PlatformId, filled: ReadonlySet<string>): UploadSlot[] {
  const missing = unmetRequirements(platform, filled).flatMap((unmet) => unmet.missing);
  return platformById(platform).slots.filter((slot) => missing.includes(slot));
}
