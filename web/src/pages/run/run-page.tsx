import { Button } from '@mantine/core'
import { Link, useParams } from 'react-router'
import { useRun } from '../../api/runs.ts'
import type { Run } from '../../api/shapes.ts'
import { ErrorState } from '../../design/error-state.tsx'
import { IconListDetails } from '../../design/icons/page-icons.ts'
import { LoadingState } from '../../design/loading-state.tsx'
import { Page, Panel } from '../../design/page.tsx'
import { AgentConversation } from './agent/agent-conversation.tsx'
import { RunChildren } from './children/run-children.tsx'
import { RunPlace } from './children/run-place.tsx'
import { RunDetails } from './details/run-details.tsx'
import { StepDetails } from './details/step-details.tsx'
import { RunError } from './run-error.tsx'
import { RunFacts } from './run-facts.tsx'
import { RunHeader } from './run-header.tsx'
import { RunWaits } from './run-waits.tsx'
import { useRunActions } from './use-run-actions.ts'
import { useRunFlow } from './use-run-flow.ts'
import { useSelectedStep } from './use-selected-step.ts'
import { useTickingNow } from './use-ticking-now.ts'
import { layOut } from './waterfall/lay-out.ts'
import { Waterfall, WHOLE_RUN } from './waterfall/waterfall.tsx'

/** One run: what started it, what each step did and when, and why it failed. */
export function RunPage() {
  const { run: id = '' } = useParams()
  const { data: run, error, refetch } = useRun(id)
  return (
    <Page>
      {run !== undefined && <RunView key={run.id} run={run} />}
      {run === undefined && error !== null && (
        <ErrorState
          error={error}
          onRetry={() => void refetch()}
          actions={
            <Button
              variant="default"
              component={Link}
              to="/runs"
              leftSection={<IconListDetails size={16} aria-hidden />}
            >
              All runs
            </Button>
          }
        />
      )}
      {run === undefined && error === null && <LoadingState rows={5} height={72} />}
    </Page>
  )
}

function RunView({ run }: { readonly run: Run }) {
  const flow = useRunFlow(run)
  const actions = useRunActions(run)
  const now = useTickingNow(run.finished_at === null)
  const layout = layOut(run, flow.document, now)
  const { selected, select, details } = useSelectedStep(run)
  const step = layout.rows.find(({ node }) => node === selected)
  return (
    <>
      <RunPlace run={run} flow={flow} />
      <RunHeader run={run} flow={flow} actions={actions} />
      <RunFacts run={run} flow={flow} now={now} />
      <RunWaits run={run} flow={flow} />
      <RunError run={run} flow={flow} />
      <Panel aria-label="What happened when">
        <Waterfall
          layout={layout}
          status={run.status}
          selected={step === undefined ? WHOLE_RUN : selected}
          onSelect={select}
          titleOf={flow.titleOf}
        />
      </Panel>
      <div ref={details}>
        {step === undefined ? (
          <>
            <RunChildren run={run} flow={flow} node={undefined} />
            <RunDetails run={run} flow={flow} />
          </>
        ) : (
          <StepDetails key={step.node} run={run} row={step} flow={flow} now={now}>
            {step.type === 'agent' && (
              <AgentConversation run={run} node={step.node} title={flow.titleOf(step)} />
            )}
            <RunChildren run={run} flow={flow} node={step.node} />
          </StepDetails>
        )}
      </div>
    </>
  )
}
