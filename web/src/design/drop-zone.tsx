import { useState } from 'react'
import classes from './drop-zone.module.css'
import { IconFileImport } from './icons/list-icons.ts'

interface DropZoneProps {
  readonly onFiles: (files: readonly File[]) => void
  readonly isActive: boolean
  /** What comes of dropping them, said while they are held above it. */
  readonly invitation: string
  readonly children: React.ReactNode
}

/**
 * Takes files that are dropped anywhere on it, before what stands in it hears of them: an editor would write their text. A button
 * beside it does the same by keyboard.
 */
export function DropZone({ onFiles, isActive, invitation, children }: DropZoneProps) {
  // Enter and leave are told for every part that the pointer crosses, so they are counted.
  const [depth, setDepth] = useState(0)
  if (!isActive) return children
  const holdsFiles = (event: React.DragEvent) => event.dataTransfer.types.includes('Files')
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is one of two ways; the other is a button.
    <div
      className={classes.zone}
      onDragEnter={(event) => holdsFiles(event) && setDepth(depth + 1)}
      onDragLeave={(event) => holdsFiles(event) && setDepth(depth - 1)}
      onDragOver={(event) => holdsFiles(event) && event.preventDefault()}
      onDropCapture={(event) => {
        if (!holdsFiles(event)) return
        event.preventDefault()
        event.stopPropagation()
        setDepth(0)
        onFiles([...event.dataTransfer.files])
      }}
    >
      {children}
      {depth > 0 && (
        <div className={classes.invitation}>
          <IconFileImport size={32} stroke={1.5} aria-hidden />
          {invitation}
        </div>
      )}
    </div>
  )
}
