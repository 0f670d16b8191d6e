import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Link } from 'react-router'
import { useApi } from '../../../api/api-context.ts'
import type { Run } from '../../../api/shapes.ts'
import { readLastStart, startTest } from '../../../api/tests.ts'
import { IconRefresh } from '../../../design/icons/component-icons.ts'
import { IconFlask } from '../../../design/icons/page-icons.ts'
import { ProblemNote } from '../../../design/problem-note.tsx'
import { StateBadge } from '../../../design/state-badge.tsx'
import type { Flow } from '../../../editor/graph/flow.ts'
import type { Repair } from '../asked-for.ts'
import { useEditor } from '../editor-context.ts'
import { rememberedBody } from '../session/remembered-body.ts'
import { payloadIn } from '../testing/payload-text.ts'
import { sampleFor } from '../testing/sample-for.ts'
import { startOf } from '../testing/webhook-of.ts'
import classes from './assistant.module.css'

interface ProposalTestProps {
  readonly proposed: Flow
  readonly run: Run | undefined
  readonly isFaulty: boolean
  readonly onTested: (run: Run) => void
  readonly onRepair: ((failed: Repair) => void) | undefined
}

/** Tries the proposal with what started the flow last; it is no draft for that. */
export function ProposalTest({ proposed, run, isFaulty, onTested, onRepair }: ProposalTestProps) {
  const api = useApi()
  const editor = useEditor()
  const testing = useMutation({
    mutationFn: async () => {
      const { flowId } = editor
      const written = rememberedBody(window.sessionStorage, flowId).read()
      const last = await readLastStart(api, flowId, startOf(proposed))
      const { catalogue } = editor.state()
      const text = written ?? (last === null ? sampleFor(proposed, catalogue, startOf(proposed)) : undefined)
      return startTest(api, flowId, {
        ...(last !== null && { run_id: last.run }),
        ...(text !== undefined && { input: payloadIn(text) }),
        document: proposed
      })
    },
    onSuccess: onTested
  })
  const failed = run?.error?.node ?? null
  return (
    <section className={classes.test} aria-label="Test of the proposal">
      <div className={classes.submit}>
        <Button
          variant="default"
          leftSection={<IconFlask size={16} aria-hidden />}
          loading={testing.isPending}
          aria-disabled={isFaulty || undefined}
          data-disabled={isFaulty}
          onClick={() => !isFaulty && testing.mutate()}
        >
          Test it
        </Button>
        <span className={classes.quiet}>
          With the last payload, or a sample. Its steps act, as in any test.
        </span>
      </div>
      <ProblemNote error={testing.error} />
      <div role="status">
        {run !== undefined && (
          <p className={classes.tested}>
            <StateBadge state={run.status} />
            <Link to={`/runs/${run.id}`} className={classes.link}>
              The test run
            </Link>
          </p>
        )}
        {run?.error != null && <p className={classes.failed}>{run.error.message}</p>}
      </div>
      {run !== undefined && failed !== null && onRepair !== undefined && (
        <Button
          size="compact-sm"
          variant="light"
          leftSection={<IconRefresh size={14} aria-hidden />}
          onClick={() => onRepair({ run: run.id, node: failed })}
        >
          Repair it by what went wrong
        </Button>
      )}
    </section>
  )
}
