import { useEffect } from 'react'
import { isField } from '../../../shell/shortcut-keys.ts'
import { useEditorSession } from '../session/session-context.ts'
import { useEditing } from './use-editing.ts'

/**
 * Copy, cut and paste by the browser's own events: they need no permission, and work from the browser's menu too. Text
 * in fields, and text that somebody has marked, stays the browser's business.
 */
export function useClipboardEvents(): void {
  const session = useEditorSession()
  const editing = useEditing()
  useEffect(() => {
    const onCopy = (event: ClipboardEvent) => {
      const text = isOurs(event) ? editing.copied() : undefined
      if (text === undefined) return
      event.clipboardData?.setData('text/plain', text)
      event.preventDefault()
      if (event.type === 'cut' && !session.state().isReadOnly) editing.remove()
    }
    const onPaste = (event: ClipboardEvent) => {
      if (!isOurs(event) || session.state().isReadOnly) return
      const text = event.clipboardData?.getData('text/plain')
      if (text === undefined) return
      event.preventDefault()
      editing.paste(text)
    }
    document.addEventListener('copy', onCopy)
    document.addEventListener('cut', onCopy)
    document.addEventListener('paste', onPaste)
    return () => {
      document.removeEventListener('copy', onCopy)
      document.removeEventListener('cut', onCopy)
      document.removeEventListener('paste', onPaste)
    }
  }, [session, editing])
}

function isOurs({ target }: ClipboardEvent): boolean {
  if (isField(target) || document.querySelector('[role="dialog"]') !== null) return false
  return document.getSelection()?.isCollapsed ?? true
}
