import { ActionIcon, SegmentedControl, Tooltip } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router'
import { useRunInput } from '../../../../api/run-input.ts'
import { useRun } from '../../../../api/runs.ts'
import type { Run } from '../../../../api/shapes.ts'
import { CopyButton } from '../../../../design/copy-button.tsx'
import { IconArrowBarToRight } from '../../../../design/icons/editor-icons.ts'
import { IconX } from '../../../../design/icons/page-icons.ts'
import { LoadingState } from '../../../../design/loading-state.tsx'
import { ProblemNote } from '../../../../design/problem-note.tsx'
import { RelativeTime } from '../../../../design/relative-time.tsx'
import { StateBadge } from '../../../../design/state-badge.tsx'
import { PayloadTree } from '../template/payload-tree.tsx'
import { wheelInside } from '../wheel-inside.ts'
import classes from './landed-request.module.css'
import { RequestHeaders } from './request-headers.tsx'

type View = 'payload' | 'headers' | 'raw'

interface LandedRequestProps {
  readonly run: string
  /** Unlike all others on the page: screen readers list them. */
  readonly label: string
  readonly onClose?: () => void
  readonly onOpenBeside?: () => void
}

/** A request as it arrived: what was read from it, what came with it, and its very text. */
export function LandedRequest({ run: id, label, onClose, onOpenBeside }: LandedRequestProps) {
  const { data: run, error, isPending } = useRun(id)
  const [view, setView] = useState<View>('payload')
  return (
    <section className={`${classes.request} nodrag`} aria-label={label}>
      <div className={classes.head}>
        {run === undefined ? null : <StateBadge state={run.status} />}
        <span className={classes.time}>
          <Link to={`/runs/${id}`}>Run</Link> {run !== undefined && <RelativeTime at={run.created_at} />}
        </span>
        {onOpenBeside === undefined ? null : (
          <Tooltip label="Show beside the canvas">
            <ActionIcon size="sm" aria-label="Show the request beside the canvas" onClick={onOpenBeside}>
              <IconArrowBarToRight size={15} aria-hidden />
            </ActionIcon>
          </Tooltip>
        )}
        {onClose === undefined ? null : (
          <Tooltip label="Close">
            <ActionIcon size="sm" aria-label="Close the request" onClick={onClose}>
              <IconX size={15} aria-hidden />
            </ActionIcon>
          </Tooltip>
        )}
      </div>
      <SegmentedControl
        size="xs"
        fullWidth
        value={view}
        onChange={(next) => setView(next as View)}
        aria-label="What to show of the request"
        data={[
          { value: 'payload', label: 'Payload' },
          { value: 'headers', label: 'Headers' },
          { value: 'raw', label: 'Raw text' }
        ]}
      />
      {error !== null && <ProblemNote error={error} />}
      {isPending && <LoadingState rows={3} height={16} />}
      {run !== undefined && <RequestView run={run} view={view} label={label} />}
    </section>
  )
}

interface RequestViewProps {
  readonly run: Run
  readonly view: View
  readonly label: string
}

function RequestView({ run, view, label }: RequestViewProps) {
  if (view === 'payload') return <PayloadTree value={run.input} label={`${label}: payload`} />
  if (view === 'headers') return <RequestHeaders request={run.request} label={`${label}: headers`} />
  return <RawText run={run.id} label={`${label}: raw text`} />
}

/** Nobody reads on, and a browser takes long to lay more of it out. */
const LONGEST = 20_000

function RawText({ run, label }: { readonly run: string; readonly label: string }) {
  const { data, error } = useRunInput(run)
  if (error !== null) return <ProblemNote error={error} />
  if (data === undefined) return <LoadingState rows={2} height={16} />
  if (data === '') return <p className={classes.empty}>The body was empty.</p>
  return (
    <div className={classes.raw}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a room that scrolls has to be reached by keyboard. */}
      <section className={classes.text} tabIndex={0} aria-label={label} {...wheelInside}>
        <pre>{data.slice(0, LONGEST)}</pre>
        {data.length > LONGEST && (
          <p className={classes.empty}>
            and {(data.length - LONGEST).toLocaleString()} more characters, which are copied too
          </p>
        )}
      </section>
      <div className={classes.copy}>
        <CopyButton text={data} label="Copy the raw text" />
      </div>
    </div>
  )
}
