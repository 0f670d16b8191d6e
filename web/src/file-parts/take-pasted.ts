import type { ClipboardEvent } from 'react'

/** A table that is copied is a text and a picture of it: what has a text is pasted as text. */
export function takePasted(event: ClipboardEvent, begin: (files: readonly File[]) => void): void {
  const { files, types } = event.clipboardData
  if (files.length === 0 || types.includes('text/plain')) return
  event.preventDefault()
  event.stopPropagation()
  begin([...files])
}
