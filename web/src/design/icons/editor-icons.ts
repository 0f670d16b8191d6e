// From Tabler Icons 3.51.0, MIT: see LICENSE.md beside this file. Those that only the tools of the editor use, apart
// from the others so that neither another page nor a canvas waits for them.
import { icon } from './icon.ts'

export const IconAlignBottom = icon(
  'M4 20l16 0M9 6a2 2 0 0 1 2 -2h2a2 2 0 0 1 2 2v8a2 2 0 0 1 -2 2h-2a2 2 0 0 1 -2 -2l0 -8'
)
export const IconAlignCentre = icon(
  'M12 4l0 5M12 15l0 5M6 11a2 2 0 0 1 2 -2h8a2 2 0 0 1 2 2v2a2 2 0 0 1 -2 2h-8a2 2 0 0 1 -2 -2l0 -2'
)
export const IconAlignLeft = icon(
  'M4 4l0 16M8 11a2 2 0 0 1 2 -2h8a2 2 0 0 1 2 2v2a2 2 0 0 1 -2 2h-8a2 2 0 0 1 -2 -2l0 -2'
)
export const IconAlignMiddle = icon(
  'M4 12l5 0M15 12l5 0M9 8a2 2 0 0 1 2 -2h2a2 2 0 0 1 2 2v8a2 2 0 0 1 -2 2h-2a2 2 0 0 1 -2 -2l0 -8'
)
export const IconAlignRight = icon(
  'M20 4l0 16M4 11a2 2 0 0 1 2 -2h8a2 2 0 0 1 2 2v2a2 2 0 0 1 -2 2h-8a2 2 0 0 1 -2 -2l0 -2'
)
export const IconAlignTop = icon(
  'M4 4l16 0M9 10a2 2 0 0 1 2 -2h2a2 2 0 0 1 2 2v8a2 2 0 0 1 -2 2h-2a2 2 0 0 1 -2 -2l0 -8'
)
export const IconArrowBackUp = icon('M9 14l-4 -4l4 -4M5 10h11a4 4 0 1 1 0 8h-1')
export const IconArrowBarToRight = icon('M14 12l-10 0M14 12l-4 4M14 12l-4 -4M20 4l0 16')
export const IconArrowForwardUp = icon('M15 14l4 -4l-4 -4M19 10h-11a4 4 0 1 0 0 8h1')
export const IconArrowUpRight = icon('M17 7l-10 10M8 7l9 0l0 9')
export const IconArrowsDiff = icon('M11 16h10M11 16l4 4M11 16l4 -4M13 8h-10M13 8l-4 4M13 8l-4 -4')
export const IconBan = icon('M3 12a9 9 0 1 0 18 0a9 9 0 1 0 -18 0M5.7 5.7l12.6 12.6')
export const IconBook = icon(
  'M3 19a9 9 0 0 1 9 0a9 9 0 0 1 9 0M3 6a9 9 0 0 1 9 0a9 9 0 0 1 9 0M3 6l0 13M12 6l0 13M21 6l0 13'
)
export const IconBoxMultiple = icon(
  'M7 5a2 2 0 0 1 2 -2h10a2 2 0 0 1 2 2v10a2 2 0 0 1 -2 2h-10a2 2 0 0 1 -2 -2l0 -10M17 17v2a2 2 0 0 1 -2 2h-10a2 2 0 0 1 -2 -2v-10a2 2 0 0 1 2 -2h2'
)
export const IconChevronLeft = icon('M15 6l-6 6l6 6')
export const IconClipboard = icon(
  'M9 5h-2a2 2 0 0 0 -2 2v12a2 2 0 0 0 2 2h10a2 2 0 0 0 2 -2v-12a2 2 0 0 0 -2 -2h-2M9 5a2 2 0 0 1 2 -2h2a2 2 0 0 1 2 2a2 2 0 0 1 -2 2h-2a2 2 0 0 1 -2 -2'
)
export const IconCloudCheck = icon(
  'M11 18.004h-4.343c-2.572 -.004 -4.657 -2.011 -4.657 -4.487c0 -2.475 2.085 -4.482 4.657 -4.482c.393 -1.762 1.794 -3.2 3.675 -3.773c1.88 -.572 3.956 -.193 5.444 1c1.488 1.19 2.162 3.007 1.77 4.769h.99c1.388 0 2.585 .82 3.138 2.007M15 19l2 2l4 -4'
)
export const IconCloudOff = icon(
  'M9.58 5.548c.24 -.11 .492 -.207 .752 -.286c1.88 -.572 3.956 -.193 5.444 1c1.488 1.19 2.162 3.007 1.77 4.769h.99c1.913 0 3.464 1.56 3.464 3.486c0 .957 -.383 1.824 -1.003 2.454m-2.997 1.033h-11.343c-2.572 -.004 -4.657 -2.011 -4.657 -4.487c0 -2.475 2.085 -4.482 4.657 -4.482c.13 -.582 .37 -1.128 .7 -1.62M3 3l18 18'
)
export const IconCloudUp = icon(
  'M12 18.004h-5.343c-2.572 -.004 -4.657 -2.011 -4.657 -4.487c0 -2.475 2.085 -4.482 4.657 -4.482c.393 -1.762 1.794 -3.2 3.675 -3.773c1.88 -.572 3.956 -.193 5.444 1c1.488 1.19 2.162 3.007 1.77 4.769h.99c1.38 0 2.57 .811 3.128 1.986M19 22v-6M22 19l-3 -3l-3 3'
)
export const IconCopyPlus = icon(
  'M7 9.667a2.667 2.667 0 0 1 2.667 -2.667h8.666a2.667 2.667 0 0 1 2.667 2.667v8.666a2.667 2.667 0 0 1 -2.667 2.667h-8.666a2.667 2.667 0 0 1 -2.667 -2.667l0 -8.666M4.012 16.737a2 2 0 0 1 -1.012 -1.737v-10c0 -1.1 .9 -2 2 -2h10c.75 0 1.158 .385 1.5 1M11 14h6M14 11v6'
)
export const IconDistributeHorizontally = icon(
  'M4 4l0 16M20 4l0 16M9 8a2 2 0 0 1 2 -2h2a2 2 0 0 1 2 2v8a2 2 0 0 1 -2 2h-2a2 2 0 0 1 -2 -2l0 -8'
)
export const IconDistributeVertically = icon(
  'M4 4l16 0M4 20l16 0M6 11a2 2 0 0 1 2 -2h8a2 2 0 0 1 2 2v2a2 2 0 0 1 -2 2h-8a2 2 0 0 1 -2 -2l0 -2'
)
export const IconEar = icon(
  'M6 10a7 7 0 1 1 13 3.6a10 10 0 0 1 -2 2a8 8 0 0 0 -2 3a4.5 4.5 0 0 1 -6.8 1.4M10 10a3 3 0 1 1 5 2.2'
)
export const IconFocus2 = icon(
  'M5 12a7 7 0 1 0 14 0a7 7 0 1 0 -14 0M12 3l0 2M3 12l2 0M12 19l0 2M19 12l2 0',
  'M11.5 12a.5 .5 0 1 0 1 0a.5 .5 0 1 0 -1 0'
)
export const IconHistory = icon('M12 8l0 4l2 2M3.05 11a9 9 0 1 1 .5 4m-.5 5v-5h5')
export const IconInbox = icon(
  'M4 6a2 2 0 0 1 2 -2h12a2 2 0 0 1 2 2v12a2 2 0 0 1 -2 2h-12a2 2 0 0 1 -2 -2l0 -12M4 13h3l3 3h4l3 -3h3'
)
export const IconLayoutDashboard = icon(
  'M5 4h4a1 1 0 0 1 1 1v6a1 1 0 0 1 -1 1h-4a1 1 0 0 1 -1 -1v-6a1 1 0 0 1 1 -1M5 16h4a1 1 0 0 1 1 1v2a1 1 0 0 1 -1 1h-4a1 1 0 0 1 -1 -1v-2a1 1 0 0 1 1 -1M15 12h4a1 1 0 0 1 1 1v6a1 1 0 0 1 -1 1h-4a1 1 0 0 1 -1 -1v-6a1 1 0 0 1 1 -1M15 4h4a1 1 0 0 1 1 1v2a1 1 0 0 1 -1 1h-4a1 1 0 0 1 -1 -1v-2a1 1 0 0 1 1 -1'
)
export const IconLayoutSidebarRightExpand = icon(
  'M4 6a2 2 0 0 1 2 -2h12a2 2 0 0 1 2 2v12a2 2 0 0 1 -2 2h-12a2 2 0 0 1 -2 -2l0 -12M15 4v16M10 10l-2 2l2 2'
)
export const IconListTree = icon('M9 6h11M12 12h8M15 18h5M5 6v.01M8 12v.01M11 18v.01')
export const IconPencil = icon('M4 20h4l10.5 -10.5a2.828 2.828 0 1 0 -4 -4l-10.5 10.5v4M13.5 6.5l4 4')
export const IconPlugConnected = icon(
  'M7 12l5 5l-1.5 1.5a3.536 3.536 0 1 1 -5 -5l1.5 -1.5M17 12l-5 -5l1.5 -1.5a3.536 3.536 0 1 1 5 5l-1.5 1.5M3 21l2.5 -2.5M18.5 5.5l2.5 -2.5M10 11l-2 2M13 14l-2 2'
)
export const IconRestore = icon(
  'M3.06 13a9 9 0 1 0 .49 -4.087M3 4.001v5h5M11 12a1 1 0 1 0 2 0a1 1 0 1 0 -2 0'
)
export const IconPin = icon(
  'M15 4.5l-4 4l-4 1.5l-1.5 1.5l7 7l1.5 -1.5l1.5 -4l4 -4M9 15l-4.5 4.5M14.5 4l5.5 5.5'
)
export const IconPinOff = icon(
  'M3 3l18 18M15 4.5l-3.249 3.249M9.181 9.182l-2.181 .818l-1.5 1.5l7 7l1.5 -1.5l.82 -2.186M16.25 12.25l3.25 -3.25M9 15l-4.5 4.5M14.5 4l5.5 5.5'
)
export const IconTrashOff = icon(
  'M3 3l18 18M4 7h3m4 0h9M10 11l0 6M14 14l0 3M5 7l1 12a2 2 0 0 0 2 2h8a2 2 0 0 0 2 -2l.077 -.923M18.384 14.373l.616 -7.373M9 5v-1a1 1 0 0 1 1 -1h4a1 1 0 0 1 1 1v3'
)
export const IconZoomIn = icon('M3 10a7 7 0 1 0 14 0a7 7 0 1 0 -14 0M7 10l6 0M10 7l0 6M21 21l-6 -6')
export const IconZoomOut = icon('M3 10a7 7 0 1 0 14 0a7 7 0 1 0 -14 0M7 10l6 0M21 21l-6 -6')
export const IconExternalLink = icon(
  'M12 6h-6a2 2 0 0 0 -2 2v10a2 2 0 0 0 2 2h10a2 2 0 0 0 2 -2v-6M11 13l9 -9M15 4h5v5'
)
export const IconGripVertical = icon(
  'M8 5a1 1 0 1 0 2 0a1 1 0 1 0 -2 0M8 12a1 1 0 1 0 2 0a1 1 0 1 0 -2 0M8 19a1 1 0 1 0 2 0a1 1 0 1 0 -2 0M14 5a1 1 0 1 0 2 0a1 1 0 1 0 -2 0M14 12a1 1 0 1 0 2 0a1 1 0 1 0 -2 0M14 19a1 1 0 1 0 2 0a1 1 0 1 0 -2 0'
)
