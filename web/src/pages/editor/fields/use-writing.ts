import { useEffect, useRef } from 'react'
import type { Field } from '../../../../../src/flows/component/component.ts'
import { useEditor } from '../editor-context.ts'

/** Kinds that are chosen: their value is whole at once. */
const CHOSEN: readonly Field['kind'][] = ['boolean', 'choice', 'connection']

/**
 * Half a word is wrong in many ways, and who types it knows: from the first letter until the field is left, the canvas
 * tells nothing new of the node. `onWrite` goes with every change, the rest on the element around the field.
 */
export function useWriting(node: string, kind: Field['kind']) {
  const editor = useEditor()
  const room = useRef<HTMLDivElement>(null)
  useEffect(
    () => () => {
      if (editor.state().writing === node) editor.write(undefined)
    },
    [editor, node]
  )
  return {
    onWrite: () => {
      const isTyped = !CHOSEN.includes(kind) && room.current?.contains(document.activeElement) === true
      if (isTyped) editor.write(node)
    },
    around: {
      ref: room,
      onBlur: (event: React.FocusEvent) => {
        if (!event.currentTarget.contains(event.relatedTarget)) editor.write(undefined)
      }
    }
  }
}
