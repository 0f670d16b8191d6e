import { Button, Group } from '@mantine/core'
import { type NotificationData, notifications } from '@mantine/notifications'
import { problemOf } from '../api/problem.ts'
import { ErrorHelp } from './help-link.tsx'
import { IconAlertTriangle, IconCheck } from './icons/page-icons.ts'

/** Says that something was done; with `undo`, offers to take it back for ten seconds. */
export function notifyDone(message: string, undo?: () => unknown): void {
  showOnce(message, (id) => ({
    message: undo === undefined ? message : <WithUndo message={message} onUndo={() => runUndo(id, undo)} />,
    icon: <IconCheck size={16} aria-hidden />,
    autoClose: undo === undefined ? 3000 : 10_000
  }))
}

/** Says what was refused, and why. */
export function notifyProblem(error: unknown): void {
  const { title, detail, code } = problemOf(error)
  notifyRefusal(title, detail, code)
}

/** The same where the page itself refuses: nothing has failed, so the title says what was not done. */
export function notifyRefusal(title: string, reason: string, code?: string): void {
  showOnce(`${title} ${reason}`, () => ({
    title,
    message: code === undefined ? reason : [reason, ' ', <ErrorHelp key={code} code={code} />],
    color: 'red',
    icon: <IconAlertTriangle size={16} aria-hidden />,
    autoClose: 10_000
  }))
}

/** Said again, it takes the place of what was said: a pile of the same words tells nobody more. */
function showOnce(words: string, make: (id: string) => NotificationData): void {
  const shown = { ...make(words), id: words }
  notifications.show(shown)
  // Where it stands there already, to show it is nothing; the newest undo is the one that is meant.
  notifications.update(shown)
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
