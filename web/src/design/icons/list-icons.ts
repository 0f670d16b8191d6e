// From Tabler Icons 3.51.0, MIT: see LICENSE.md beside this file. Only pages with lists of flows, runs and messages have these.
import { icon } from './icon.ts'

export const IconArrowRight = icon('M5 12l14 0M13 18l6 -6M13 6l6 6')
export const IconCalendarTime = icon(
  'M11.795 21h-6.795a2 2 0 0 1 -2 -2v-12a2 2 0 0 1 2 -2h12a2 2 0 0 1 2 2v4M14 18a4 4 0 1 0 8 0a4 4 0 1 0 -8 0M15 3v4M7 3v4M3 11h16M18 16.496v1.504l1 1'
)
export const IconFileExport = icon(
  'M14 3v4a1 1 0 0 0 1 1h4M11.5 21h-4.5a2 2 0 0 1 -2 -2v-14a2 2 0 0 1 2 -2h7l5 5v5m-5 6h7m-3 -3l3 3l-3 3'
)
export const IconFileImport = icon(
  'M14 3v4a1 1 0 0 0 1 1h4M5 13v-8a2 2 0 0 1 2 -2h7l5 5v11a2 2 0 0 1 -2 2h-5.5m-9.5 -2h7m-3 -3l3 3l-3 3'
)
export const IconPlayerTrackNext = icon('M3 5v14l8 -7l-8 -7M14 5v14l8 -7l-8 -7')
export const IconTag = icon(
  'M6.5 7.5a1 1 0 1 0 2 0a1 1 0 1 0 -2 0M3 6v5.172a2 2 0 0 0 .586 1.414l7.71 7.71a2.41 2.41 0 0 0 3.408 0l5.592 -5.592a2.41 2.41 0 0 0 0 -3.408l-7.71 -7.71a2 2 0 0 0 -1.414 -.586h-5.172a3 3 0 0 0 -3 3'
)
export const IconArrowDown = icon('M12 5l0 14M18 13l-6 6M6 13l6 6')
export const IconCpu = icon(
  'M5 6a1 1 0 0 1 1 -1h12a1 1 0 0 1 1 1v12a1 1 0 0 1 -1 1h-12a1 1 0 0 1 -1 -1l0 -12M9 9h6v6h-6l0 -6M3 10h2M3 14h2M10 3v2M14 3v2M21 10h-2M21 14h-2M14 21v-2M10 21v-2'
)
/** The same as that of components, which only the canvas loads. */
export const IconToolCall = icon(
  'M7 10h3v-3l-3.5 -3.5a6 6 0 0 1 8 8l6 6a2 2 0 0 1 -3 3l-6 -6a6 6 0 0 1 -8 -8l3.5 3.5'
)
