import { Button, Group, Modal, Radio, Stack } from '@mantine/core'
import { useState } from 'react'
import type { Pause } from '../api/shapes.ts'
import type { NamedFlow } from './named-flow.ts'

interface PauseDialogProps {
  readonly flows: readonly NamedFlow[]
  /** As it is paused now. */
  readonly mode?: Pause['mode'] | undefined
  readonly onPause: (mode: Pause['mode']) => Promise<unknown>
  readonly onClose: () => void
}

/** Asks what is to become of what arrives while flows are paused. */
export function PauseDialog({ flows, mode: before = 'hold', onPause, onClose }: PauseDialogProps) {
  const [mode, setMode] = useState<Pause['mode']>(before)
  const [isSent, setSent] = useState(false)
  const submit = async (event: React.FormEvent) => {
    event.preventDefault()
    setSent(true)
    await onPause(mode)
    onClose()
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={flows.length === 1 ? `Pause ${flows[0]!.name}` : `Pause ${flows.length} flows`}
    >
      <form onSubmit={(event) => void submit(event)}>
        <Stack>
          <div>No run starts until you resume. Runs that have started continue to their end.</div>
          <Radio.Group
            label="What happens to new requests"
            value={mode}
            onChange={(value) => setMode(value as Pause['mode'])}
          >
            <Stack gap="sm" mt="xs">
              <Radio
                value="hold"
                label="Hold them"
                description="Requests are accepted and kept; they run in order of arrival after Resume."
              />
              <Radio
                value="refuse"
                label="Refuse them"
                description="Senders get 503 with Retry-After, and those that try again are served after Resume."
              />
            </Stack>
          </Radio.Group>
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={isSent}>
              Pause
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
