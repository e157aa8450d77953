/** Longer side of a panel, px. */
export const PANEL_SIDE_PX = 2400;
