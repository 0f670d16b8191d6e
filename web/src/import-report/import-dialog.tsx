import { Modal } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useState } from 'react'
import { plainWords } from '../../../src/flows/template/plain-words.ts'
import { useReadImportsAgain } from '../api/imports.ts'
import { ConnectionDialog, type NewConnection } from '../connection-forms/connection-dialog.tsx'
import { ImportReport } from './import-report.tsx'
import { useImportReview } from './use-import-review.ts'

interface ImportDialogProps {
  readonly file: File
  readonly onClose: () => void
}

/** The report on a file, above the page. */
export function ImportDialog({ file, onClose }: ImportDialogProps) {
  const review = useImportReview(file)
  const [making, setMaking] = useState<NewConnection>()
  const isPhone = useMediaQuery('(max-width: 720px)', undefined, { getInitialValueInEffect: false })
  return (
    <>
      <Modal
        opened={making === undefined}
        onClose={onClose}
        title={plainWords(`Import “${file.name}”`)}
        size={960}
        fullScreen={isPhone}
        // A click beside it would drop what was looked at.
        closeOnClickOutside={false}
      >
        <ImportReport review={review} onMake={setMaking} onClose={onClose} />
      </Modal>
      <MakeConnection making={making} onEnd={() => setMaking(undefined)} />
    </>
  )
}

/** The same beside the canvas that a flow was pasted on. */
export function ImportPanel({ file, onClose }: ImportDialogProps) {
  const review = useImportReview(file)
  const [making, setMaking] = useState<NewConnection>()
  return (
    <>
      <ImportReport review={review} onMake={setMaking} onClose={onClose} />
      <MakeConnection making={making} onEnd={() => setMaking(undefined)} />
    </>
  )
}

interface MakeConnectionProps {
  readonly making: NewConnection | undefined
  readonly onEnd: () => void
}

function MakeConnection({ making, onEnd }: MakeConnectionProps) {
  const readAgain = useReadImportsAgain()
  return <ConnectionDialog subject={making} onClose={onEnd} onDone={readAgain} />
}
