import { Alert } from '@mantine/core'
import { problemOf } from '../api/problem.ts'
import { ErrorHelp } from './help-link.tsx'
import { IconAlertTriangle } from './icons/page-icons.ts'

/** A refusal inside a form or a dialog, where a whole ErrorState would be too much. Shows nothing without an error. */
export function ProblemNote({ error }: { readonly error: unknown }) {
  if (error === null || error === undefined) return null
  const { title, detail, errors, code } = problemOf(error)
  const more = errors.map(({ message }) => message).filter((message) => message !== detail)
  return (
    <Alert
      color="red"
      variant="light"
      role="alert"
      icon={<IconAlertTriangle size={18} aria-hidden />}
      title={title}
    >
      {detail}
      {more.length === 0 ? null : (
        <ul>
          {more.map((message) => (
            <li key={message}>{message}</li>
          ))}
        </ul>
      )}
      <br />
      <ErrorHelp code={code} />
    </Alert>
  )
}
