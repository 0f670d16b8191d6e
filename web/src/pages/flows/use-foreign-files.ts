import { useState } from 'react'

interface ForeignFiles {
  /** The one whose report is open. */
  readonly open: File | undefined
  readonly add: (file: File) => void
  readonly close: () => void
}

/** Files of other tools, looked at one after the other. */
export function useForeignFiles(): ForeignFiles {
  const [files, setFiles] = useState<readonly File[]>([])
  return {
    open: files[0],
    add: (file) => setFiles((before) => [...before, file]),
    close: () => setFiles((before) => before.slice(1))
  }
}
