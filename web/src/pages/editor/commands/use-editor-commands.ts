import { useReactFlow, useStoreApi } from '@xyflow/react'
import { type Command, useCommands } from '../../../shell/commands.ts'
import { arrangingCommands } from '../actions/arranging-commands.ts'
import { useAdding } from '../actions/use-adding.ts'
import { useArranging } from '../actions/use-arranging.ts'
import { useEditing } from '../actions/use-editing.ts'
import { type Editor, type SidePanel, useEditor, useEditorState } from '../editor-context.ts'
import { upperThirdOf, useCanvasPointer } from '../geometry/canvas-pointer.ts'
import { FIT } from '../geometry/first-view.ts'
import { findInOutline, OUTLINE, showOutline } from '../outline/show-outline.tsx'
import { useQuickAdd } from '../session/quick-add-context.ts'
import { showFlowSettings } from '../settings/show-flow-settings.tsx'
import { showVersions, VERSIONS } from '../versions/show-versions.tsx'
import { CHANGING, CHANGING_KEYS, VIEWING, VIEWING_KEYS, withActions } from './canvas-commands.ts'
import { useEditorFinder } from './use-editor-finder.ts'

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
  const commands = withActions(VIEWING, {
    'canvas.fit': () => void fitView(FIT),
    'canvas.in': () => void zoomIn(),
    'canvas.out': () => void zoomOut(),
    'canvas.list': () => togglePanel(editor, OUTLINE, showOutline),
    'canvas.find': () => findInOutline(editor),
    'canvas.versions': () => togglePanel(editor, VERSIONS, showVersions),
    'canvas.settings': () => showFlowSettings(editor),
    'canvas.all': editing.selectAll,
    'canvas.copy': () => void editing.copy()
  })
  return [...commands, ...VIEWING_KEYS]
}

function useChangingCommands(): Command[] {
  const editor = useEditor()
  const editing = useEditing()
  const arranging = useArranging()
  const adding = useAdding()
  const addAtCursor = useAddAtCursor()
  const commands = withActions(CHANGING, {
    'canvas.add': addAtCursor,
    'canvas.note': () => adding.addInView({ facts: undefined }),
    'canvas.undo': () => editor.undo(),
    'canvas.redo': () => editor.redo(),
    'canvas.cut': () => void editing.cut(),
    'canvas.paste': () => void editing.pasteFromClipboard(),
    'canvas.duplicate': () => editing.duplicate(),
    'canvas.delete': () => editing.remove(),
    'canvas.disable': () => editing.toggleDisabled()
  })
  return [...commands, ...arrangingCommands(arranging), ...CHANGING_KEYS]
}

function useAddAtCursor(): () => void {
  const quickAdd = useQuickAdd()
  const pointer = useCanvasPointer()
  const store = useStoreApi()
  return () => {
    const screen = pointer.at ?? upperThirdOf(store.getState().domNode!)
    quickAdd.open({ screen, isInView: pointer.at === undefined })
  }
}

function togglePanel(editor: Editor, id: SidePanel['id'], show: (editor: Editor) => void): void {
  if (editor.state().panel?.id === id) editor.closePanel()
  else show(editor)
}
