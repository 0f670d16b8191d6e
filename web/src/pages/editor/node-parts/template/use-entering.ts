import { useRef, useState } from 'react'
import { type AheadStep, aheadStep } from '../../../../editor/template/typed-ahead.ts'
import type { Caret, TemplateHand } from './code-mirror-template.tsx'

/**
 * When the editor of a template is there: it is entered by a click or by focus, and goes when it is left. The still
 * text stays until the editor has taken the focus from it: whoever watches the node sees one field.
 */
export function useEntering(onLeave?: (at: number) => void) {
  const [caret, setCaret] = useState<Caret | undefined>()
  const [isReady, setReady] = useState(false)
  const isPressed = useRef(false)
  const hand = useRef<TemplateHand>(undefined)
  /** Typed while the editor was on its way: on a slow network it is seconds, and nobody waits with typing. */
  const typed = useRef<AheadStep[]>([])
  return {
    isOpen: caret !== undefined,
    isReady,
    caret,
    onReady: (made: TemplateHand) => {
      hand.current = made
      setReady(true)
      for (const step of typed.current) made.take(step)
      typed.current = []
    },
    onBlur: ({ currentTarget: room, relatedTarget }: React.FocusEvent) => {
      isPressed.current = false
      // A window that loses the focus blurs its field as well, and gives the focus back to it.
      if (room.contains(relatedTarget) || room.contains(document.activeElement)) return
      if (hand.current !== undefined) onLeave?.(hand.current.caret())
      hand.current = undefined
      setCaret(undefined)
      setReady(false)
      typed.current = []
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
        const step = aheadStep(event)
        if (step === undefined) return
        typed.current.push(step)
        // It is of this field: not the canvas', whose parts it would select, and not the page's.
        event.preventDefault()
        event.stopPropagation()
      },
      onPaste: (event: React.ClipboardEvent) => {
        typed.current.push({ kind: 'write', text: event.clipboardData.getData('text/plain') })
        event.preventDefault()
        event.stopPropagation()
      }
    }
  }
}
