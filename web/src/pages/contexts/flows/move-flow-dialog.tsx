import { Button, Group, Modal, Select, Stack } from '@mantine/core'
import { useState } from 'react'
import { type ContextFacts, useMoveFlow } from '../../../api/contexts.ts'
import { notifyDone } from '../../../design/notify.tsx'
import { ProblemNote } from '../../../design/problem-note.tsx'

export interface FlowInContext {
  readonly id: string
  readonly slug: string
  readonly name: string
}

interface MoveFlowDialogProps {
  readonly flow: FlowInContext | undefined
  readonly from: string
  readonly contexts: readonly ContextFacts[]
  readonly onClose: () => void
}

export function MoveFlowDialog({ flow, ...rest }: MoveFlowDialogProps) {
  return (
    <Modal
      opened={flow !== undefined}
      onClose={rest.onClose}
      title={flow === undefined ? '' : `Move ${flow.name}`}
    >
      {flow !== undefined && <MoveFlowForm flow={flow} {...rest} />}
    </Modal>
  )
}

function MoveFlowForm({
  flow,
  from,
  contexts,
  onClose
}: MoveFlowDialogProps & { readonly flow: FlowInContext }) {
  const [to, setTo] = useState<string | null>(null)
  const move = useMoveFlow()
  const submit = (event: React.FormEvent) => {
    event.preventDefault()
    if (to === null) return
    move.mutate(
      { flow: flow.id, context: to },
      {
        onSuccess: () => {
          notifyDone(`${flow.name} is now in ${to}.`)
          onClose()
        }
      }
    )
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <Select
          label="Into"
          description="The flow then sees what is visible there. If it needs more, the move is refused."
          placeholder="Choose a context"
          searchable
          data-autofocus
          nothingFoundMessage="No such context"
          data={contexts.map(({ path }) => path).filter((path) => path !== from)}
          value={to}
          onChange={setTo}
        />
        <ProblemNote error={move.error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={move.isPending} disabled={to === null}>
            Move
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
