import { Button } from '@mantine/core'
import { useMemo, useState } from 'react'
import type { FileValue } from '../../../src/flows/file-value.ts'
import classes from './file-view.module.css'
import { mayRunScripts } from './pdf-scripts.ts'
import { useBlobAddress } from './use-blob-address.ts'

interface PdfFrameProps {
  readonly file: FileValue
  readonly bytes: Uint8Array<ArrayBuffer>
}

/**
 * In the browser's own viewer, which keeps what a PDF does away from the page that it stands in. The frame has no `sandbox`: with
 * it Chromium shows no PDF at all. What makes it safe is the type: the bytes are a PDF to the browser and nothing else, whatever
 * is in them. One that may run scripts is shown to who asks for it: these could put up dialogs in the name of the page.
 */
export function PdfFrame({ file, bytes }: PdfFrameProps) {
  const address = useBlobAddress(bytes, 'application/pdf')
  const isAsking = useMemo(() => mayRunScripts(bytes), [bytes])
  const [isAsked, setAsked] = useState(false)
  if (!isPdf(bytes))
    return <p className={classes.note}>It cannot be shown: it is not the PDF that it is said to be.</p>
  // Phones have none.
  if (!navigator.pdfViewerEnabled)
    return <p className={classes.note}>This browser shows PDFs after a download.</p>
  if (isAsking && !isAsked)
    return (
      <>
        <p className={classes.note}>It may hold scripts, which your browser runs when it shows it.</p>
        <Button variant="default" size="compact-sm" onClick={() => setAsked(true)}>
          Show it
        </Button>
      </>
    )
  if (address === undefined) return null
  return (
    <iframe
      className={classes.page}
      src={`${address}#toolbar=0&navpanes=0&view=FitH`}
      title={file.filename}
    />
  )
}

/** Viewers look for it in the first kilobyte. */
function isPdf(bytes: Uint8Array): boolean {
  return new TextDecoder('latin1').decode(bytes.subarray(0, 1024)).includes('%PDF-')
}
