import { useRef, useState } from 'react'
import type { Caret, TemplateHand } from './code-mirror-template.tsx'

/**
 * When the editor of a template is there: it is entered by a click or by focus, and goes when it is left. The still
 * text stays until the editor has taken the focus from it: whoever watches the node sees one field.
 */
export function useEntering() {
  const [caret, setCaret] = useState<Caret | undefined>()
  const [isReady, setReady] = useState(false)
  const isPressed = useRef(false)
  /** Typed while the editor was on its way: on a slow network it is seconds, and nobody waits with typing. */
  const typed = useRef('')
  return {
    isOpen: caret !== undefined,
    isReady,
    caret,
    onReady: (hand: TemplateHand) => {
      setReady(true)
      if (typed.current !== '') hand.write(typed.current)
      typed.current = ''
    },
    onBlur: ({ currentTarget: room, relatedTarget }: React.FocusEvent) => {
      isPressed.current = false
      // A window that loses the focus blurs its field as well, and gives the focus back to it.
      if (room.contains(relatedTarget) || room.contains(document.activeElement)) return
      setCaret(undefined)
      setReady(false)
      typed.current = ''
    },
    still: {
      // A press brings the focus before its click, and after its handlers: an editor that takes the focus meanwhile
      // loses it again to whatever focus the press leads to.
      onMouseDown: () => {
        isPressed.current = true
      },
      onFocus: () => {
        if (!isPressed.current) setCaret((now) => now ?? 'end')
      },
      onClick: ({ clientX, clientY }: React.MouseEvent) => setCaret({ x: clientX, y: clientY }),
      // Pressed and let go elsewhere, it has the focus and no editor.
      onKeyDown: (event: React.KeyboardEvent) => {
        setCaret((now) => now ?? 'end')
        const text = textAfter(typed.current, event)
        if (text === undefined) return
        typed.current = text
        event.preventDefault()
      }
    }
  }
}

/** What is typed with one more key; undefined for a key that writes nothing. */
function textAfter(
  typed: string,
  { key, ctrlKey, metaKey, altKey }: React.KeyboardEvent
): string | undefined {
  if (ctrlKey || metaKey || altKey) return undefined
  if (key === 'Backspace') return typed.slice(0, -1)
  if (key === 'Enter') return `${typed}\n`
  return key.length === 1 ? typed + key : undefined
}
