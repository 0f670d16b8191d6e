import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useApi } from '../../api/api-context.ts'
import { wakeRun } from '../../api/runs.ts'
import { useMay } from '../../api/session.ts'
import type { Run, RunWait } from '../../api/shapes.ts'
import { AnswerForm } from '../../approval-parts/answer-form.tsx'
import { Question } from '../../approval-parts/question.tsx'
import { CopyButton } from '../../design/copy-button.tsx'
import { notifyDone, notifyProblem } from '../../design/notify.tsx'
import { Panel } from '../../design/page.tsx'
import { RelativeTime } from '../../design/relative-time.tsx'
import classes from './run-waits.module.css'
import type { RunFlow } from './use-run-flow.ts'

interface RunWaitsProps {
  readonly run: Run
  readonly flow: RunFlow
}

/** What a run waits for, until when, and what those who may can do about it. */
export function RunWaits({ run, flow }: RunWaitsProps) {
  if (run.waiting.length === 0) return null
  const titleOf = (id: string) => {
    const node = flow.document?.nodes.find((each) => each.id === id)
    return node === undefined ? id : flow.titleOf(node)
  }
  return (
    <div className={classes.waits}>
      <Panel aria-label="What the run waits for">
        <ul className={classes.list}>
          {run.waiting.map((wait) => (
            <WaitRow key={wait.node} run={run} wait={wait} title={titleOf(wait.node)} />
          ))}
        </ul>
      </Panel>
    </div>
  )
}

interface WaitRowProps {
  readonly run: Run
  readonly wait: RunWait
  readonly title: string
}

/** What it waits for, and the words before the time until which it does. */
const WORDS: Readonly<Record<RunWait['kind'], { readonly what: string; readonly until: string }>> = {
  time: { what: 'waits', until: ' until ' },
  call: { what: 'waits for a call', until: ', at the latest until ' },
  answer: { what: 'waits for an answer', until: ', at the latest until ' },
  children: { what: 'waits for the runs that it started', until: ' until ' },
  retry: { what: 'waits for its next attempt', until: ', which comes ' }
}

function WaitRow({ run, wait, title }: WaitRowProps) {
  const mayAnswer = useMay('trigger')
  const { what, until } = WORDS[wait.kind]
  return (
    <li className={classes.row}>
      <div className={classes.summary}>
        <p className={classes.message}>
          <strong>{title}</strong> {what}
          {wait.until !== null && (
            <>
              {until}
              <Moment at={wait.until} />
            </>
          )}
        </p>
        {wait.question !== undefined && <Question text={wait.question} />}
        {wait.since !== null && (
          <p className={classes.secondary}>
            Since <Moment at={wait.since} />
          </p>
        )}
        {wait.resume_url !== undefined && <Address url={wait.resume_url} title="Address to call" />}
        {wait.approve_url !== undefined && (
          <Address url={wait.approve_url} title="Link for people without a key" />
        )}
      </div>
      <div className={classes.actions}>
        {wait.approval_id !== undefined && wait.choices !== undefined && mayAnswer && (
          <AnswerForm
            approvalId={wait.approval_id}
            question={wait.question ?? ''}
            choices={wait.choices}
            runId={run.id}
          />
        )}
        {isEndable(run, wait) && <EndWait run={run} wait={wait} title={title} />}
      </div>
    </li>
  )
}

const ENDABLE: readonly RunWait['kind'][] = ['time', 'call', 'answer']

/** A pause between two attempts is short; a run that has nothing but one to wait for by a schedule says that it waits. */
function isEndable(run: Run, { kind }: RunWait): boolean {
  return ENDABLE.includes(kind) || (kind === 'retry' && run.status === 'waiting')
}

function Moment({ at }: { readonly at: string }) {
  const text = new Date(at).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' })
  return (
    <>
      {text} (<RelativeTime at={at} />)
    </>
  )
}

function Address({ url, title }: { readonly url: string; readonly title: string }) {
  return (
    <div className={classes.address}>
      <span className={classes.secondary}>{title}</span>
      <code>{url}</code>
      <CopyButton text={url} label={`Copy: ${title.toLowerCase()}`} />
    </div>
  )
}

const WAYS_ON: Readonly<Partial<Record<RunWait['kind'], string>>> = { time: 'Continue now', retry: 'Try now' }

/** A Delay goes on at once; what waits for somebody goes on without them. */
function EndWait({ run, wait, title }: WaitRowProps) {
  const api = useApi()
  const queries = useQueryClient()
  const mayWrite = useMay('write')
  const wake = useMutation({
    mutationFn: () => wakeRun(api, run.id, wait.node),
    onSuccess: () => notifyDone(`${title} is no longer waiting`),
    onError: notifyProblem,
    onSettled: () => queries.invalidateQueries({ queryKey: ['run', run.id] })
  })
  if (!mayWrite) return null
  const label = WAYS_ON[wait.kind] ?? 'Continue without it'
  return (
    <Button
      variant="default"
      loading={wake.isPending}
      onClick={() => wake.mutate()}
      aria-label={`${label}: ${title}`}
    >
      {label}
    </Button>
  )
}
