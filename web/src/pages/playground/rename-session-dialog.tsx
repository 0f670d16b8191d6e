import { Button, Group, Modal, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { ListedSession } from './use-sessions.ts'

interface RenameSessionDialogProps {
  readonly session: ListedSession | undefined
  readonly onClose: () => void
  readonly onRename: (name: string) => void
}

export function RenameSessionDialog({ session, onClose, onRename }: RenameSessionDialogProps) {
  return (
    <Modal opened={session !== undefined} onClose={onClose} title="Rename the session">
      {session !== undefined && <RenameForm session={session} onClose={onClose} onRename={onRename} />}
    </Modal>
  )
}

function RenameForm({ session, onClose, onRename }: RenameSessionDialogProps & { session: ListedSession }) {
  const [name, setName] = useState(session.name)
  const submit = (event: React.FormEvent) => {
    event.preventDefault()
    onRename(name)
    onClose()
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <TextInput
          label="Name"
          description={`Kept in this browser. To flows and senders it stays “${session.session}”.`}
          placeholder={session.session}
          maxLength={80}
          data-autofocus
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit">Rename</Button>
        </Group>
      </Stack>
    </form>
  )
}
