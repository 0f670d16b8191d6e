// From Tabler Icons 3.51.0, MIT: see LICENSE.md beside this file. Only the page of contexts and the one for unknown addresses have these.
import { icon } from './icon.ts'

export const IconArrowDownRight = icon('M7 7l10 10M17 8l0 9l-9 0')
export const IconArrowsMove = icon(
  'M18 9l3 3l-3 3M15 12h6M6 9l-3 3l3 3M3 12h6M9 18l3 3l3 -3M12 15v6M15 6l-3 -3l-3 3M12 3v6'
)
export const IconHelpCircle = icon(
  'M3 12a9 9 0 1 0 18 0a9 9 0 0 0 -18 0M12 16v.01M12 13a2 2 0 0 0 .914 -3.782a1.98 1.98 0 0 0 -2.414 .483'
)
export const IconMapOff = icon(
  'M8.32 4.34l.68 -.34l6 3l6 -3v13m-2.67 1.335l-3.33 1.665l-6 -3l-6 3v-13l2.665 -1.333M9 4v1m0 4v8M15 7v4m0 4v5M3 3l18 18'
)
export const IconMapQuestion = icon(
  'M15 20l-6 -3l-6 3v-13l6 -3l6 3l6 -3v7.5M9 4v13M15 7v5.5M19 22v.01M19 19a2.003 2.003 0 0 0 .914 -3.782a1.98 1.98 0 0 0 -2.414 .483'
)
export const IconQuestionMark = icon(
  'M8 8a3.5 3 0 0 1 3.5 -3h1a3.5 3 0 0 1 3.5 3a3 3 0 0 1 -2 3a3 4 0 0 0 -2 4M12 19l0 .01'
)
