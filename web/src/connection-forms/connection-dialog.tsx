import { Modal } from '@mantine/core'
import { words } from '../../../src/flows/template/plain-words.ts'
import {
  type Connection,
  type ConnectionKind,
  type ConnectionPreset,
  useChangeConnection,
  useConnectionKinds,
  useConnectionPresets,
  useMakeConnection
} from '../api/connections.ts'
import { ErrorState } from '../design/error-state.tsx'
import { LoadingState } from '../design/loading-state.tsx'
import { notifyDone } from '../design/notify.tsx'
import { draftOf } from './connection-draft.ts'
import { ConnectionForm } from './connection-form.tsx'
import { draftWithPreset, presetFor } from './preset-draft.ts'
import { useAdministeredContexts } from './use-administered.ts'

/** What a new connection begins as. */
export interface NewConnection {
  readonly name?: string
  readonly context: string
  /** Those that will do; any where it is left out. */
  readonly kinds?: readonly string[]
}

interface ConnectionDialogProps {
  /** What is made or changed; the dialog is closed where it is undefined. */
  readonly subject: NewConnection | Connection | undefined
  readonly onClose: () => void
  readonly onDone?: (connection: Connection) => void
}

/** Makes a connection or changes one, wherever somebody finds that they need it. */
export function ConnectionDialog({ subject, onClose, onDone }: ConnectionDialogProps) {
  return (
    <Modal
      opened={subject !== undefined}
      onClose={onClose}
      title={subject === undefined ? '' : titleOf(subject)}
      size="lg"
      // What was typed, a secret among it, would be lost by a click beside it.
      closeOnClickOutside={false}
    >
      {subject !== undefined && <DialogForm subject={subject} onClose={onClose} onDone={onDone} />}
    </Modal>
  )
}

function titleOf(subject: NewConnection | Connection): string {
  return isMade(subject) ? `Change “${subject.name}”` : 'New connection'
}

function isMade(subject: NewConnection | Connection): subject is Connection {
  return 'id' in subject
}

interface DialogFormProps {
  readonly subject: NewConnection | Connection
  readonly onClose: () => void
  readonly onDone: ((connection: Connection) => void) | undefined
}

function DialogForm({ subject, onClose, onDone }: DialogFormProps) {
  const kinds = useConnectionKinds()
  const presets = useConnectionPresets({ enabled: true })
  const done = (connection: Connection) => {
    onClose()
    onDone?.(connection)
  }
  // One that has a name may be that of a service. Any other begins at once, and does without them where they cannot be had.
  const isAwaited = !isMade(subject) && subject.name !== undefined && presets.isPending
  if (kinds.data === undefined || isAwaited) {
    return kinds.error === null ? (
      <LoadingState rows={4} height={48} />
    ) : (
      <ErrorState error={kinds.error} onRetry={() => void kinds.refetch()} />
    )
  }
  const shared = { kinds: kinds.data, presets: presets.data ?? [], onClose, onDone: done }
  return isMade(subject) ? (
    <ChangeForm connection={subject} {...shared} />
  ) : (
    <MakeForm wanted={subject} {...shared} />
  )
}

interface FormProps {
  readonly kinds: readonly ConnectionKind[]
  readonly presets: readonly ConnectionPreset[]
  readonly onClose: () => void
  readonly onDone: (connection: Connection) => void
}

function MakeForm({
  wanted,
  kinds,
  presets,
  onClose,
  onDone
}: FormProps & { readonly wanted: NewConnection }) {
  const make = useMakeConnection()
  const contexts = useAdministeredContexts()
  const fitting = kinds.filter(({ kind }) => wanted.kinds?.includes(kind) ?? true)
  const offered = fitting.length === 0 ? kinds : fitting
  const known = offered.some(({ kind }) => kind === 'http') ? presets : []
  const empty = {
    name: wanted.name ?? '',
    kind: offered[0]!.kind,
    context: wanted.context,
    settings: {},
    secrets: {}
  }
  // A node that the palette made of a service names its connection like that.
  const preset = presetFor(known, empty)
  return (
    <ConnectionForm
      initial={preset === undefined ? empty : draftWithPreset(empty, preset)}
      presets={known}
      kinds={offered}
      contexts={contexts}
      action="Create connection"
      error={make.error}
      isPending={make.isPending}
      onClose={onClose}
      onSubmit={(request) =>
        make.mutate(request, {
          onSuccess: (connection) => {
            notifyDone(words`“${connection.name}” was created in ${connection.context}.`)
            onDone(connection)
          }
        })
      }
    />
  )
}

function ChangeForm({
  connection,
  kinds,
  presets,
  onClose,
  onDone
}: FormProps & { readonly connection: Connection }) {
  const change = useChangeConnection(connection.id)
  const contexts = useAdministeredContexts()
  return (
    <ConnectionForm
      initial={draftOf(connection)}
      stored={connection}
      presets={presets}
      kinds={kinds}
      contexts={contexts}
      action="Save"
      error={change.error}
      isPending={change.isPending}
      onClose={onClose}
      onSubmit={(request) =>
        change.mutate(request, {
          onSuccess: (changed) => {
            notifyDone(`“${changed.name}” was saved.`)
            onDone(changed)
          }
        })
      }
    />
  )
}
