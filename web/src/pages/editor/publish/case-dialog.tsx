import { Modal } from '@mantine/core'
import type { JsonValue } from '../../../../../src/flows/json/exact-json.ts'
import { ValueView } from '../../../design/value-view/value-view.tsx'
import classes from './publish.module.css'

interface CaseDialogProps {
  readonly title: string
  readonly was: unknown
  readonly is: unknown
  readonly onClose: () => void
}

/** What a node gave then beside what it gives now, as large as the page. */
export function CaseDialog({ title, was, is, onClose }: CaseDialogProps) {
  return (
    <Modal opened onClose={onClose} title={title} size="80rem">
      <div className={classes.sides}>
        <Side title="Then" value={was} />
        <Side title="Now" value={is} />
      </div>
    </Modal>
  )
}

function Side({ title, value }: { readonly title: string; readonly value: unknown }) {
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      {value === null || value === undefined ? (
        <p className={classes.quiet}>Nothing</p>
      ) : (
        <ValueView value={value as JsonValue} label={title} />
      )}
    </section>
  )
}
