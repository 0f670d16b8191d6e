import { IconFrame } from '../../../design/icons/canvas-icons.ts'
import {
  IconAlignBottom,
  IconAlignCentre,
  IconAlignLeft,
  IconAlignMiddle,
  IconAlignRight,
  IconAlignTop,
  IconDistributeHorizontally,
  IconDistributeVertically,
  IconLayoutDashboard
} from '../../../design/icons/editor-icons.ts'
import type { Icon } from '../../../design/icons/icon.ts'
import type { Direction, Side } from '../../../editor/layout/align.ts'
import type { Command } from '../../../shell/commands.ts'
import type { Arranging } from './use-arranging.ts'

interface Arrangement<To> {
  readonly to: To
  readonly title: string
  readonly keys: string
  readonly icon: Icon
}

/** By the keys that drawing programs have for it. */
export const ALIGNMENTS: readonly Arrangement<Side>[] = [
  { to: 'left', title: 'Align left', keys: 'alt+a', icon: IconAlignLeft },
  { to: 'centre', title: 'Align centre', keys: 'alt+h', icon: IconAlignCentre },
  { to: 'right', title: 'Align right', keys: 'alt+d', icon: IconAlignRight },
  { to: 'top', title: 'Align top', keys: 'alt+w', icon: IconAlignTop },
  { to: 'middle', title: 'Align middle', keys: 'alt+v', icon: IconAlignMiddle },
  { to: 'bottom', title: 'Align bottom', keys: 'alt+s', icon: IconAlignBottom }
]

export const DISTRIBUTIONS: readonly Arrangement<Direction>[] = [
  {
    to: 'horizontally',
    title: 'Distribute horizontally',
    keys: 'alt+shift+h',
    icon: IconDistributeHorizontally
  },
  { to: 'vertically', title: 'Distribute vertically', keys: 'alt+shift+v', icon: IconDistributeVertically }
]

export const GROUP_KEYS = { group: 'mod+g', ungroup: 'mod+shift+g' } as const

/** Where parts stand to each other, in the palette of commands and the sheet of shortcuts. */
export function arrangingCommands(arranging: Arranging): Command[] {
  const group = 'Arrange'
  return [
    {
      id: 'canvas.tidy',
      title: 'Tidy',
      group,
      keys: 'shift+t',
      icon: IconLayoutDashboard,
      keywords: 'layout arrange',
      run: () => void arranging.tidy()
    },
    {
      id: 'canvas.group',
      title: 'Group the selection',
      group,
      keys: GROUP_KEYS.group,
      icon: IconFrame,
      keywords: 'frame title',
      run: () => arranging.group()
    },
    {
      id: 'canvas.ungroup',
      title: 'Ungroup',
      group,
      keys: GROUP_KEYS.ungroup,
      icon: IconFrame,
      run: () => arranging.ungroup()
    },
    ...ALIGNMENTS.map(({ to, title, keys, icon }) => ({
      id: `canvas.align.${to}`,
      title,
      group,
      keys,
      icon,
      run: () => arranging.align(to)
    })),
    ...DISTRIBUTIONS.map(({ to, title, keys, icon }) => ({
      id: `canvas.distribute.${to}`,
      title,
      group,
      keys,
      icon,
      keywords: 'space evenly',
      run: () => arranging.distribute(to)
    }))
  ]
}
