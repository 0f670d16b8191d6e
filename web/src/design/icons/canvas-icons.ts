// From Tabler Icons 3.51.0, MIT: see LICENSE.md beside this file. Those that a canvas is drawn with: it is there before
// the tools around it.
import { icon } from './icon.ts'

export const IconArrowsDiagonal = icon('M16 4l4 0l0 4M14 10l6 -6M8 20l-4 0l0 -4M4 20l6 -6')
export const IconFrame = icon('M4 7l16 0M4 17l16 0M7 4l0 16M17 4l0 16')
export const IconGitMerge = icon(
  'M5 18a2 2 0 1 0 4 0a2 2 0 1 0 -4 0M5 6a2 2 0 1 0 4 0a2 2 0 1 0 -4 0M15 12a2 2 0 1 0 4 0a2 2 0 1 0 -4 0M7 8l0 8M7 8a4 4 0 0 0 4 4h4'
)
export const IconMap = icon('M3 7l6 -3l6 3l6 -3v13l-6 3l-6 -3l-6 3v-13M9 4v13M15 7v13')
export const IconMaximize = icon(
  'M4 8v-2a2 2 0 0 1 2 -2h2M4 16v2a2 2 0 0 0 2 2h2M16 4h2a2 2 0 0 1 2 2v2M16 20h2a2 2 0 0 0 2 -2v-2'
)
export const IconMinus = icon('M5 12l14 0')
export const IconNote = icon(
  'M13 20l7 -7M13 20v-6a1 1 0 0 1 1 -1h6v-7a2 2 0 0 0 -2 -2h-12a2 2 0 0 0 -2 2v12a2 2 0 0 0 2 2h7'
)
export const IconWebhook = icon(
  'M4.876 13.61a4 4 0 1 0 6.124 3.39h6M15.066 20.502a4 4 0 1 0 1.934 -7.502c-.706 0 -1.424 .179 -2 .5l-3 -5.5M16 8a4 4 0 1 0 -8 0c0 1.506 .77 2.818 2 3.5l-3 5.5'
)
