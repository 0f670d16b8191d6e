import { Modal } from '@mantine/core'
import { isWithin } from '../../../../../src/contexts/context-path.ts'
import { type ContextFacts, useChangeContext } from '../../../api/contexts.ts'
import { notifyDone } from '../../../design/notify.tsx'
import classes from './place-form.module.css'
import { type Place, PlaceForm } from './place-form.tsx'

interface ChangePlaceDialogProps {
  readonly opened: boolean
  readonly context: ContextFacts
  readonly contexts: readonly ContextFacts[]
  readonly onClose: () => void
  readonly onMoved: (path: string) => void
}

export function ChangePlaceDialog({ opened, onClose, ...rest }: ChangePlaceDialogProps) {
  return (
    <Modal opened={opened} onClose={onClose} title={`Rename or move ${rest.context.path}`}>
      <ChangePlaceForm onClose={onClose} {...rest} />
    </Modal>
  )
}

function ChangePlaceForm({ context, contexts, onClose, onMoved }: Omit<ChangePlaceDialogProps, 'opened'>) {
  const change = useChangeContext(context.path)
  // Not the mutation's own callbacks: the context is no more under its path, and neither is this form.
  const move = (place: Place) =>
    change.mutateAsync(place).then(
      ({ path }) => {
        notifyDone(`${context.path} is now ${path}.`)
        onMoved(path)
      },
      () => undefined
    )
  const isTakenAlong = contexts.some(({ parent }) => parent === context.path)
  return (
    <PlaceForm
      initial={{ name: context.name, parent: context.parent ?? '/' }}
      parents={contexts.filter(({ path }) => !isWithin(path, context.path))}
      action="Rename or move"
      error={change.error}
      isPending={change.isPending}
      onClose={onClose}
      onSubmit={(place) => void move(place)}
    >
      {isTakenAlong && <p className={classes.note}>The contexts below it come along.</p>}
    </PlaceForm>
  )
}
