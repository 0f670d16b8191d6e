import { Button } from '@mantine/core'
import { Link, useParams } from 'react-router'
import { useFlow } from '../../api/flows.ts'
import { ErrorState } from '../../design/error-state.tsx'
import { LoadingState } from '../../design/loading-state.tsx'
import { Page } from '../../design/page.tsx'
import { Playground } from './playground.tsx'

export function PlaygroundPage() {
  const { flow: reference = '' } = useParams()
  const flow = useFlow(reference)
  if (flow.data !== undefined) return <Playground key={flow.data.id} flow={flow.data} />
  return (
    <Page>
      {flow.error === null ? (
        <LoadingState rows={4} height={72} />
      ) : (
        <ErrorState
          error={flow.error}
          onRetry={() => void flow.refetch()}
          actions={
            <Button component={Link} to="/flows" variant="default">
              All flows
            </Button>
          }
        />
      )}
    </Page>
  )
}
