import { Button, Group, Modal, Stack } from '@mantine/core'
import type { Failures } from '../../flow-parts/use-flow-actions.ts'
import classes from './flow-dialogs.module.css'

/** Says what could not be done with which flows, and why. */
export function FailuresDialog({
  failures: { what, of, among },
  onClose
}: {
  readonly failures: Failures
  readonly onClose: () => void
}) {
  return (
    <Modal opened onClose={onClose} title={`${of.length} of ${among} flows ${wereNot(of.length)} ${what}`}>
      <Stack>
        <ul className={classes.failures} aria-label="What failed">
          {of.map(({ id, name, reason }) => (
            <li key={id}>
              <strong>{name}</strong>
              <span>{reason}</span>
            </li>
          ))}
        </ul>
        <Group justify="flex-end">
          <Button onClick={onClose}>Done</Button>
        </Group>
      </Stack>
    </Modal>
  )
}

function wereNot(count: number): string {
  return count === 1 ? 'was not' : 'were not'
}
