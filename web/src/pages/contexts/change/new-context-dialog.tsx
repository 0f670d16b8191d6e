import { Modal } from '@mantine/core'
import { type ContextFacts, useCreateContext } from '../../../api/contexts.ts'
import { notifyDone } from '../../../design/notify.tsx'
import { PlaceForm } from './place-form.tsx'

interface NewContextDialogProps {
  readonly opened: boolean
  readonly contexts: readonly ContextFacts[]
  /** Below which one it is made, unless somebody chooses another. */
  readonly parent: string
  readonly onClose: () => void
  readonly onMade: (path: string) => void
}

export function NewContextDialog({ opened, onClose, ...rest }: NewContextDialogProps) {
  return (
    <Modal opened={opened} onClose={onClose} title="New context">
      <NewContextForm onClose={onClose} {...rest} />
    </Modal>
  )
}

function NewContextForm({ contexts, parent, onClose, onMade }: Omit<NewContextDialogProps, 'opened'>) {
  const create = useCreateContext()
  return (
    <PlaceForm
      initial={{ name: '', parent }}
      parents={contexts}
      action="Create context"
      error={create.error}
      isPending={create.isPending}
      onClose={onClose}
      onSubmit={(place) =>
        create.mutate(place, {
          onSuccess: ({ path }) => {
            notifyDone(`${path} was created.`)
            onMade(path)
          }
        })
      }
    />
  )
}
