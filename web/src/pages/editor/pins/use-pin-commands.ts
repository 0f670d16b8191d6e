import { IconPin } from '../../../design/icons/editor-icons.ts'
import { notifyRefusal } from '../../../design/notify.tsx'
import { useCommands } from '../../../shell/commands.ts'
import { useEditor, useEditorState } from '../editor-context.ts'
import { onlyNode } from './only-node.ts'
import { usePinning } from './use-pinning.ts'

export const PIN_KEYS = 'shift+p'

/** Pins by keyboard, and from the palette of commands. */
export function usePinCommands(): void {
  const editor = useEditor()
  const pinning = usePinning()
  const isReadOnly = useEditorState((state) => state.isReadOnly)
  const toggle = () => {
    const node = onlyNode(editor.state())
    if (node !== undefined) void pinning.toggle(node)
    else notifyRefusal('Not pinned', 'Select the one node whose output you want to pin or unpin.')
  }
  const commands = [
    {
      id: 'node.pin',
      title: 'Pin or unpin the output of the node',
      group: 'Canvas',
      keys: PIN_KEYS,
      icon: IconPin,
      keywords: 'test mock fix data freeze',
      run: toggle
    }
  ]
  useCommands(isReadOnly ? [] : commands)
}
