/** How far from the origin anything is drawn, in pixels: ten times what the longest flow takes. Beyond it nothing is found again. */
export const MOST_AWAY = 10_000_000
