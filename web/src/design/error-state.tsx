import { Button } from '@mantine/core'
import { problemOf, UNREACHABLE } from '../api/problem.ts'
import { ErrorHelp } from './help-link.tsx'
import { IconAlertTriangle, IconPlugConnectedX } from './icons/page-icons.ts'
import classes from './states.module.css'

interface ErrorStateProps {
  readonly error: unknown
  readonly onRetry?: () => void
  readonly actions?: React.ReactNode
  /** Where it is the whole page, its title is the page's. */
  readonly isPage?: boolean
}

/** What went wrong in the service's own words: the title, what is wrong and what to do, and each fault. */
export function ErrorState({ error, onRetry, actions, isPage = false }: ErrorStateProps) {
  const { title, detail, errors, code } = problemOf(error)
  const Picture = code === UNREACHABLE ? IconPlugConnectedX : IconAlertTriangle
  const Heading = isPage ? 'h1' : 'h2'
  return (
    <div className={classes.state} role="alert">
      <Picture size={32} stroke={1.4} aria-hidden className={classes.alarm} />
      <Heading className={classes.title}>{title}</Heading>
      <div className={classes.message}>{detail}</div>
      <FaultList faults={errors.map(({ message }) => message).filter((message) => message !== detail)} />
      <div className={classes.actions}>
        {onRetry === undefined ? null : (
          <Button variant="default" onClick={onRetry}>
            Try again
          </Button>
        )}
        {actions}
      </div>
      <ErrorHelp code={code} />
    </div>
  )
}

function FaultList({ faults }: { readonly faults: readonly string[] }) {
  if (faults.length === 0) return null
  return (
    <ul className={classes.faults}>
      {faults.map((fault) => (
        <li key={fault}>{fault}</li>
      ))}
    </ul>
  )
}
