import { useEffect, useRef } from 'react'
import { isField } from '../../shell/shortcut-keys.ts'

/** Files, the text of one, and the address of one, that are pasted on the page and not into a field or a dialog of it. */
export function usePastedFiles(isActive: boolean, onFiles: (files: readonly File[]) => void): void {
  const newest = useRef(onFiles)
  newest.current = onFiles
  useEffect(() => {
    if (!isActive) return
    const onPaste = (event: ClipboardEvent) => {
      if (isField(event.target) || document.querySelector('[role="dialog"]') !== null) return
      const files = pastedIn(event.clipboardData)
      if (files.length === 0) return
      event.preventDefault()
      newest.current(files)
    }
    document.addEventListener('paste', onPaste)
    return () => document.removeEventListener('paste', onPaste)
  }, [isActive])
}

function pastedIn(data: DataTransfer | null): readonly File[] {
  if (data === null) return []
  if (data.files.length > 0) return [...data.files]
  const text = data.getData('text/plain')
  const address = /^\s*(https?:\/\/\S+)\s*$/.exec(text)?.[1]
  // The service reads the file that lies there.
  if (address !== undefined) return [new File([JSON.stringify({ url: address })], address)]
  // Any other text was meant for something else.
  return /^\s*[[{]/.test(text) ? [new File([text], 'Pasted text')] : []
}
