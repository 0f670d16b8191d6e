import { Button, Group } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { Link } from 'react-router'
import { useMay } from '../../api/session.ts'
import type { Run } from '../../api/shapes.ts'
import { ErrorHelp } from '../../design/help-link.tsx'
import { IconAlertTriangle, IconTopologyStar3 } from '../../design/icons/page-icons.ts'
import { LongMessage } from '../../design/long-message.tsx'
import { remedyFor } from './remedy.ts'
import classes from './run-page.module.css'
import type { RunFlow } from './use-run-flow.ts'

// What it asks for, to know whether there is a model, would come with every canvas.
const RepairLink = lazy(async () => ({ default: (await import('./repair-link.tsx')).RepairLink }))

interface RunErrorProps {
  readonly run: Run
  readonly flow: RunFlow
}

/** Why the run failed, in the words of the step that failed, and what to do about it. */
export function RunError({ run, flow }: RunErrorProps) {
  const { error } = run
  const [mayWrite, mayTrigger] = [useMay('write'), useMay('trigger')]
  if (error === null) return null
  const type = run.steps.find(({ node }) => node === error.node)?.type
  const effects = type === undefined ? undefined : flow.component(type)?.effects
  const isPure = effects === undefined ? undefined : effects === 'pure'
  const remedy = remedyFor(run, {
    isPure,
    liveVersion: flow.isGone ? undefined : (flow.liveVersion ?? run.flow_version)
  })
  // A part of another run begins with what that one gives it.
  const isFixable = mayWrite && mayTrigger && run.status === 'failed' && run.parent === null
  const { title, message } = describeError(error, flow.document)
  return (
    <section className={classes.error} aria-label="Why it failed">
      <IconAlertTriangle size={20} aria-hidden className={classes.errorIcon} />
      <div>
        <h2 className={classes.errorTitle}>{title}</h2>
        <LongMessage message={message} className={classes.message!} />
        <p className={classes.remedy}>
          {remedy} <ErrorHelp code={error.code} />
        </p>
        {error.node !== null && !flow.isGone && (
          <Group gap="xs">
            {isFixable && (
              <Button size="xs" component={Link} to={`${canvasLink(run, error.node)}&fix=${run.id}`}>
                Fix and replay
              </Button>
            )}
            <Button
              size="xs"
              variant="default"
              component={Link}
              to={canvasLink(run, error.node)}
              leftSection={<IconTopologyStar3 size={14} aria-hidden />}
            >
              Show the node on the canvas
            </Button>
            <Suspense fallback={null}>
              <RepairLink
                to={`${canvasLink(run, error.node)}&repair=${encodeURIComponent(error.node)}`}
                flow={flow}
              />
            </Suspense>
          </Group>
        )}
      </div>
      <code className={classes.code}>{error.code}</code>
    </section>
  )
}

interface DescribedError {
  readonly title: string
  readonly message: string
}

/** `Node "parser-1" (Parser) failed: …` is a title and what went wrong. A node is called as it is everywhere else. */
function describeError({ message }: NonNullable<Run['error']>, flow: RunFlow['document']): DescribedError {
  const [, id, component, reason] = /^Node "([^"]*)" \(([^)]*)\) failed: (.*)$/s.exec(message) ?? []
  if (reason === undefined) return { title: 'The run failed', message }
  const name = flow?.nodes.find((node) => node.id === id)?.title || component
  return { title: `${name} (${id}) failed`, message: reason }
}

/** The canvas of the flow with this run drawn on it and one node in view. */
export function canvasLink(run: Run, node: string): string {
  return `/flows/${run.flow_id}?run=${run.id}&node=${encodeURIComponent(node)}`
}
