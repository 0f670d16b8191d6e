import { Button, Group, Modal, Stack } from '@mantine/core'
import { useOpenedAfterMount } from './opened-after-mount.ts'
import type { Question } from './question.ts'

interface ConfirmDialogProps {
  readonly question: Question
  readonly isOpen: boolean
  readonly onAnswer: (yes: boolean) => void
}

export function ConfirmDialog({ question, isOpen, onAnswer }: ConfirmDialogProps) {
  const { title, body, action, isDangerous = false } = question
  return (
    <Modal opened={useOpenedAfterMount(isOpen)} onClose={() => onAnswer(false)} title={title}>
      <Stack>
        <div>{body}</div>
        <Group justify="flex-end">
          <Button variant="default" onClick={() => onAnswer(false)}>
            Cancel
          </Button>
          <Button color={isDangerous ? 'red' : 'mill'} onClick={() => onAnswer(true)} data-autofocus>
            {action}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
