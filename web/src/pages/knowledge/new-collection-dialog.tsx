import { Button, Group, Modal, Select, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { useMakeCollection } from '../../api/collections.ts'
import { useVisibleConnections } from '../../api/connections.ts'
import { useContexts } from '../../api/contexts.ts'
import { useSession } from '../../api/session.ts'
import { ProblemNote } from '../../design/problem-note.tsx'

interface DialogProps {
  readonly opened: boolean
  readonly onClose: () => void
}

export function NewCollectionDialog({ opened, onClose }: DialogProps) {
  return (
    <Modal opened={opened} onClose={onClose} title="New collection">
      {opened && <NewCollectionForm onClose={onClose} />}
    </Modal>
  )
}

const EMBEDDING_KINDS = ['openai', 'google', 'openai-compatible']

function NewCollectionForm({ onClose }: Pick<DialogProps, 'onClose'>) {
  const make = useMakeCollection()
  const navigate = useNavigate()
  const own = useSession()?.context ?? '/'
  const { data: contexts = [] } = useContexts()
  const [name, setName] = useState('')
  const [context, setContext] = useState(own)
  const [connection, setConnection] = useState<string | null>(null)
  const [model, setModel] = useState('')
  const { data: seen = [] } = useVisibleConnections(context)
  const usable = seen.filter(({ kind }) => EMBEDDING_KINDS.includes(kind))
  const submit = (event: React.FormEvent) => {
    event.preventDefault()
    const meant = connection !== null && model.trim() !== ''
    const request = { name: name.trim(), context, connection: meant ? connection : null }
    make.mutate(
      { ...request, model: meant ? model.trim() : null },
      { onSuccess: ({ id }) => void navigate(`/knowledge/${id}`) }
    )
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <TextInput
          label="Name"
          description="Nodes name it: “manual”."
          required
          maxLength={100}
          data-autofocus
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Select
          label="Context"
          description="Flows there and below see it."
          data={[...new Set([own, ...contexts.map(({ path }) => path)])]}
          value={context}
          allowDeselect={false}
          searchable
          onChange={(value) => {
            setContext(value ?? own)
            setConnection(null)
          }}
        />
        <Select
          label="Connection"
          description="Leads to a model for embeddings. Without one, texts are found by their words alone."
          placeholder="None"
          clearable
          data={usable.map((each) => each.name)}
          value={connection}
          onChange={setConnection}
        />
        {connection !== null && (
          <TextInput
            label="Model"
            placeholder="text-embedding-3-small"
            required
            maxLength={200}
            value={model}
            onChange={(event) => setModel(event.currentTarget.value)}
          />
        )}
        <ProblemNote error={make.error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={make.isPending} disabled={name.trim() === ''}>
            Make collection
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
