/** How regions look; widths in CSS px. A light line around a colored one is visible on any tissue. */
export const REGION_LOOK = {
  linePx: 2,
  aroundPx: 4,
  aroundColor: "#ffffff",
  aroundOpacity: 0.7,
  /** The tissue and its cells stay visible inside. */
  areaOpacity: 0.16,
  excludedColor: "#3c3c3c",
  excludedOpacity: 0.3,
} as const;
