import { Button, Group } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { problemOf } from '../api/problem.ts'
import { IconAlertTriangle, IconCheck } from './icons/page-icons.ts'

/** Says that something was done; with `undo`, offers to take it back for ten seconds. */
export function notifyDone(message: string, undo?: () => unknown): void {
  const id = notifications.show({
    message: undo === undefined ? message : <WithUndo message={message} onUndo={() => runUndo(id, undo)} />,
    icon: <IconCheck size={16} aria-hidden />,
    autoClose: undo === undefined ? 3000 : 10_000
  })
}

/** Says what was refused, and why. */
export function notifyProblem(error: unknown): void {
  const { title, detail } = problemOf(error)
  notifyRefusal(title, detail)
}

/** The same where the page itself refuses: nothing has failed, so the title says what was not done. */
export function notifyRefusal(title: string, reason: string): void {
  notifications.show({
    title,
    message: reason,
    color: 'red',
    icon: <IconAlertTriangle size={16} aria-hidden />,
    autoClose: 10_000
  })
}

function runUndo(id: string, undo: () => unknown): void {
  notifications.hide(id)
  undo()
}

function WithUndo({ message, onUndo }: { readonly message: string; readonly onUndo: () => void }) {
  return (
    <Group justify="space-between" wrap="nowrap">
      <span>{message}</span>
      <Button size="compact-sm" variant="light" flex="none" onClick={onUndo}>
        Undo
      </Button>
    </Group>
  )
}
