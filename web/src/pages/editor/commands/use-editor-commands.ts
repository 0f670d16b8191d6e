import { useReactFlow, useStoreApi } from '@xyflow/react'
import {
  IconArrowBackUp,
  IconArrowForwardUp,
  IconBan,
  IconBoxMultiple,
  IconClipboard,
  IconCopyPlus,
  IconHistory,
  IconListTree,
  IconMaximize,
  IconNote,
  IconScissors,
  IconZoomIn,
  IconZoomOut
} from '../../../design/icons/editor-icons.ts'
import { IconCopy, IconPlus, IconSearch, IconSettings, IconTrash } from '../../../design/icons/page-icons.ts'
import { type Command, useCommands } from '../../../shell/commands.ts'
import { arrangingCommands } from '../actions/arranging-commands.ts'
import { useAdding } from '../actions/use-adding.ts'
import { useArranging } from '../actions/use-arranging.ts'
import { useEditing } from '../actions/use-editing.ts'
import { type Editor, type SidePanel, useEditor, useEditorState } from '../editor-context.ts'
import { upperThirdOf, useCanvasPointer } from '../geometry/canvas-pointer.ts'
import { FIT } from '../geometry/use-viewport.ts'
import { findInOutline, OUTLINE, showOutline } from '../outline/show-outline.tsx'
import { useQuickAdd } from '../session/quick-add-context.ts'
import { showFlowSettings } from '../settings/show-flow-settings.tsx'
import { showVersions, VERSIONS } from '../versions/show-versions.tsx'
import { useEditorFinder } from './use-editor-finder.ts'

const none = () => undefined

/** What can be done on the canvas, in the palette of commands and the sheet of shortcuts. */
export function useEditorCommands(): void {
  const isReadOnly = useEditorState((state) => state.isReadOnly)
  const viewing = useViewCommands()
  const changing = useChangingCommands()
  useCommands(isReadOnly ? viewing : [...changing, ...viewing])
  useEditorFinder()
}

function useViewCommands(): Command[] {
  const editor = useEditor()
  const editing = useEditing()
  const { fitView, zoomIn, zoomOut } = useReactFlow()
  const group = 'Canvas'
  return [
    {
      id: 'canvas.fit',
      title: 'Zoom to fit',
      group,
      keys: 'shift+f',
      icon: IconMaximize,
      run: () => void fitView(FIT)
    },
    { id: 'canvas.in', title: 'Zoom in', group, keys: '=', icon: IconZoomIn, run: () => void zoomIn() },
    { id: 'canvas.out', title: 'Zoom out', group, keys: '-', icon: IconZoomOut, run: () => void zoomOut() },
    {
      id: 'canvas.list',
      title: 'List view',
      group,
      keys: 'l',
      icon: IconListTree,
      run: () => togglePanel(editor, OUTLINE, showOutline)
    },
    {
      id: 'canvas.find',
      title: 'Find on the canvas',
      group,
      keys: 'mod+f',
      icon: IconSearch,
      keywords: 'search node',
      run: () => findInOutline(editor)
    },
    {
      id: 'canvas.versions',
      title: 'Versions',
      group,
      keys: 'shift+h',
      icon: IconHistory,
      run: () => togglePanel(editor, VERSIONS, showVersions)
    },
    {
      id: 'canvas.settings',
      title: 'Settings of the flow',
      group,
      icon: IconSettings,
      run: () => showFlowSettings(editor)
    },
    {
      id: 'canvas.all',
      title: 'Select all',
      group,
      keys: 'mod+a',
      icon: IconBoxMultiple,
      run: editing.selectAll
    },
    {
      id: 'canvas.copy',
      title: 'Copy',
      group,
      keys: 'mod+c',
      icon: IconCopy,
      isHandledElsewhere: true,
      run: () => void editing.copy()
    },
    {
      id: 'canvas.walk',
      title: 'Go to the next node',
      group,
      keys: 'arrows',
      isHidden: true,
      isHandledElsewhere: true,
      run: none
    },
    {
      id: 'canvas.enter',
      title: 'Edit the node',
      group,
      keys: 'enter',
      isHidden: true,
      isHandledElsewhere: true,
      run: none
    },
    {
      id: 'canvas.leave',
      title: 'Leave the field, or clear the selection',
      group,
      keys: 'escape',
      isHidden: true,
      isHandledElsewhere: true,
      run: none
    }
  ]
}

function useChangingCommands(): Command[] {
  const editor = useEditor()
  const editing = useEditing()
  const arranging = useArranging()
  const adding = useAdding()
  const quickAdd = useQuickAdd()
  const pointer = useCanvasPointer()
  const store = useStoreApi()
  const group = 'Canvas'
  const addAtCursor = () => {
    const screen = pointer.at ?? upperThirdOf(store.getState().domNode!)
    quickAdd.open({ screen, isInView: pointer.at === undefined })
  }
  return [
    { id: 'canvas.add', title: 'Add a node', group, keys: '/', icon: IconPlus, run: addAtCursor },
    {
      id: 'canvas.note',
      title: 'Add a note',
      group,
      keys: 'shift+n',
      icon: IconNote,
      run: () => adding.addInView({ facts: undefined })
    },
    {
      id: 'canvas.undo',
      title: 'Undo',
      group,
      keys: 'mod+z',
      icon: IconArrowBackUp,
      run: () => editor.undo()
    },
    {
      id: 'canvas.redo',
      title: 'Redo',
      group,
      keys: 'mod+shift+z',
      otherKeys: 'mod+y',
      icon: IconArrowForwardUp,
      run: () => editor.redo()
    },
    {
      id: 'canvas.cut',
      title: 'Cut',
      group,
      keys: 'mod+x',
      icon: IconScissors,
      isHandledElsewhere: true,
      run: () => void editing.cut()
    },
    {
      id: 'canvas.paste',
      title: 'Paste',
      group,
      keys: 'mod+v',
      icon: IconClipboard,
      isHandledElsewhere: true,
      run: () => void editing.pasteFromClipboard()
    },
    {
      id: 'canvas.duplicate',
      title: 'Duplicate',
      group,
      keys: 'mod+d',
      icon: IconCopyPlus,
      run: () => editing.duplicate()
    },
    {
      id: 'canvas.delete',
      title: 'Delete the selection',
      group,
      keys: 'delete',
      otherKeys: 'backspace',
      icon: IconTrash,
      run: () => editing.remove()
    },
    {
      id: 'canvas.disable',
      title: 'Disable or enable the selection',
      group,
      keys: 'd',
      icon: IconBan,
      keywords: 'skip off on',
      run: () => editing.toggleDisabled()
    },
    ...arrangingCommands(arranging),
    {
      id: 'canvas.push',
      title: 'Move the selection',
      group,
      keys: 'alt+arrows',
      isHidden: true,
      isHandledElsewhere: true,
      run: none
    },
    {
      id: 'canvas.rename',
      title: 'Rename the node',
      group,
      keys: 'F2',
      isHidden: true,
      isHandledElsewhere: true,
      run: none
    }
  ]
}

function togglePanel(editor: Editor, id: SidePanel['id'], show: (editor: Editor) => void): void {
  if (editor.state().panel?.id === id) editor.closePanel()
  else show(editor)
}
