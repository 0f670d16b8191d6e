import { IconMaximize, IconNote } from '../../../design/icons/canvas-icons.ts'
import { IconScissors } from '../../../design/icons/component-icons.ts'
import {
  IconArrowBackUp,
  IconArrowForwardUp,
  IconBan,
  IconBoxMultiple,
  IconClipboard,
  IconCopyPlus,
  IconHistory,
  IconListTree,
  IconZoomIn,
  IconZoomOut
} from '../../../design/icons/editor-icons.ts'
import { IconCopy, IconPlus, IconSearch, IconSettings, IconTrash } from '../../../design/icons/page-icons.ts'
import type { Command } from '../../../shell/commands.ts'

/** A command but for what it does. */
type CommandFacts = Omit<Command, 'group' | 'run'>

const GROUP = 'Canvas'

/** Also of a version that is only looked at. */
export const VIEWING = [
  { id: 'canvas.fit', title: 'Zoom to fit', keys: 'shift+f', icon: IconMaximize },
  { id: 'canvas.in', title: 'Zoom in', keys: '=', icon: IconZoomIn },
  { id: 'canvas.out', title: 'Zoom out', keys: '-', icon: IconZoomOut },
  { id: 'canvas.list', title: 'List view', keys: 'l', icon: IconListTree },
  {
    id: 'canvas.find',
    title: 'Find on the canvas',
    keys: 'mod+f',
    icon: IconSearch,
    keywords: 'search node'
  },
  { id: 'canvas.versions', title: 'Versions', keys: 'shift+h', icon: IconHistory },
  { id: 'canvas.settings', title: 'Settings of the flow', icon: IconSettings },
  { id: 'canvas.all', title: 'Select all', keys: 'mod+a', icon: IconBoxMultiple },
  { id: 'canvas.copy', title: 'Copy', keys: 'mod+c', icon: IconCopy, isHandledElsewhere: true }
] as const satisfies readonly CommandFacts[]

export const VIEWING_KEYS = keysOnly([
  { id: 'canvas.walk', title: 'Go to the next node', keys: 'arrows' },
  { id: 'canvas.enter', title: 'Edit the node', keys: 'enter' },
  { id: 'canvas.leave', title: 'Leave the field, or clear the selection', keys: 'escape' }
])

export const CHANGING = [
  { id: 'canvas.add', title: 'Add a node', keys: '/', icon: IconPlus },
  { id: 'canvas.note', title: 'Add a note', keys: 'shift+n', icon: IconNote },
  { id: 'canvas.undo', title: 'Undo', keys: 'mod+z', icon: IconArrowBackUp },
  {
    id: 'canvas.redo',
    title: 'Redo',
    keys: 'mod+shift+z',
    otherKeys: 'mod+y',
    icon: IconArrowForwardUp
  },
  { id: 'canvas.cut', title: 'Cut', keys: 'mod+x', icon: IconScissors, isHandledElsewhere: true },
  { id: 'canvas.paste', title: 'Paste', keys: 'mod+v', icon: IconClipboard, isHandledElsewhere: true },
  { id: 'canvas.duplicate', title: 'Duplicate', keys: 'mod+d', icon: IconCopyPlus },
  {
    id: 'canvas.delete',
    title: 'Delete the selection',
    keys: 'delete',
    otherKeys: 'backspace',
    icon: IconTrash
  },
  {
    id: 'canvas.disable',
    title: 'Disable or enable the selection',
    keys: 'd',
    icon: IconBan,
    keywords: 'skip off on'
  }
] as const satisfies readonly CommandFacts[]

export const CHANGING_KEYS = keysOnly([
  { id: 'canvas.push', title: 'Move the selection', keys: 'alt+arrows' },
  { id: 'canvas.rename', title: 'Rename the node', keys: 'F2' }
])

export function withActions<Id extends string>(
  commands: readonly (CommandFacts & { readonly id: Id })[],
  actions: Readonly<Record<Id, () => void>>
): Command[] {
  return commands.map((command) => ({ ...command, group: GROUP, run: actions[command.id] }))
}

/** What the canvas does by a key alone; the sheet of shortcuts tells of it. */
function keysOnly(commands: readonly CommandFacts[]): readonly Command[] {
  return commands.map((command) => ({
    ...command,
    group: GROUP,
    isHidden: true,
    isHandledElsewhere: true,
    run: () => undefined
  }))
}
