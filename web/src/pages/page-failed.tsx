import { Button } from '@mantine/core'
import { useRouteError } from 'react-router'
import { ErrorState } from '../design/error-state.tsx'

/** A part of the page threw, or could not be loaded because a newer page has taken its place. */
export function PageFailed() {
  const error = useRouteError()
  return (
    <ErrorState
      error={error}
      actions={<Button onClick={() => window.location.reload()}>Load the page anew</Button>}
    />
  )
}
