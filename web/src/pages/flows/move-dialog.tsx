import { Button, Group, Modal, Select, Stack } from '@mantine/core'
import { useState } from 'react'
import { useContexts } from '../../api/contexts.ts'
import type { ListedFlow } from '../../api/shapes.ts'
import type { FlowActions } from '../../flow-parts/use-flow-actions.ts'

interface MoveDialogProps {
  readonly flows: readonly ListedFlow[]
  readonly actions: FlowActions
  readonly onClose: () => void
}

/** Puts flows into another context, which is their folder. */
export function MoveDialog({ flows, actions, onClose }: MoveDialogProps) {
  const { data: contexts = [] } = useContexts()
  const [to, setTo] = useState<string | null>(null)
  const [isSent, setSent] = useState(false)
  const only = new Set(flows.map(({ context }) => context)).size === 1 ? flows[0]!.context : undefined
  const submit = async (event: React.FormEvent) => {
    event.preventDefault()
    if (to === null) return
    setSent(true)
    await actions.move(flows, to)
    onClose()
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={flows.length === 1 ? `Move ${flows[0]!.name}` : `Move ${flows.length} flows`}
    >
      <form onSubmit={(event) => void submit(event)}>
        <Stack>
          <Select
            label="Into"
            description="A flow sees the components, connections and variables of its context. One that needs more is not moved. It is live there at once."
            placeholder="Choose a context"
            searchable
            data-autofocus
            nothingFoundMessage="No such context"
            data={contexts.map(({ path }) => path).filter((path) => path !== only)}
            value={to}
            onChange={setTo}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={isSent} disabled={to === null}>
              Move
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
