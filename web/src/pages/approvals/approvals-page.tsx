import { SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router'
import { type Approval, MOST_APPROVALS, useApprovals } from '../../api/approvals.ts'
import { useFlows } from '../../api/flows.ts'
import { useMay } from '../../api/session.ts'
import { AnswerForm } from '../../approval-parts/answer-form.tsx'
import { Question } from '../../approval-parts/question.tsx'
import { EmptyState } from '../../design/empty-state.tsx'
import { ErrorState } from '../../design/error-state.tsx'
import { IconUserCheck } from '../../design/icons/page-icons.ts'
import { LoadingState } from '../../design/loading-state.tsx'
import { Page } from '../../design/page.tsx'
import { PageHeader } from '../../design/page-header.tsx'
import { RelativeTime } from '../../design/relative-time.tsx'
import { TestBadge } from '../../design/test-badge.tsx'
import { shortId } from '../runs/list/short-id.ts'
import classes from './approvals-page.module.css'

type Shown = Approval['status']

const TABS: readonly { readonly value: Shown; readonly label: string; readonly list: string }[] = [
  { value: 'open', label: 'Open', list: 'Open approvals' },
  { value: 'answered', label: 'Answered', list: 'Answered approvals' },
  { value: 'over', label: 'Unanswered', list: 'Unanswered approvals' }
]

/** Questions that runs ask people: those that wait for an answer, those that have one, and those that never got one. */
export function ApprovalsPage() {
  const [shown, setShown] = useState<Shown>('open')
  const { data, error, isPending, refetch } = useApprovals(shown)
  return (
    <Page>
      <PageHeader
        title="Approvals"
        actions={
          <SegmentedControl
            aria-label="Which approvals"
            value={shown}
            onChange={(value) => setShown(value as Shown)}
            data={TABS.map(({ value, label }) => ({ value, label }))}
          />
        }
      >
        Runs that wait for a person. Each question takes one answer, and the run continues with it at once.
      </PageHeader>
      {isPending && <LoadingState rows={3} height={96} />}
      {error !== null && data === undefined && <ErrorState error={error} onRetry={() => void refetch()} />}
      {data?.length === 0 && <NothingAsked shown={shown} />}
      {data !== undefined && data.length > 0 && (
        <ul className={classes.list} aria-label={TABS.find(({ value }) => value === shown)!.list}>
          {data.map((approval) => (
            <ApprovalRow key={approval.id} approval={approval} />
          ))}
        </ul>
      )}
      {data?.length === MOST_APPROVALS && (
        <p className={classes.more}>The newest {MOST_APPROVALS} are shown.</p>
      )}
    </Page>
  )
}

function NothingAsked({ shown }: { readonly shown: Shown }) {
  if (shown === 'answered')
    return (
      <EmptyState icon={IconUserCheck} title="No answers yet" help="waiting#approve">
        Who decided what, and when, is kept here as long as the run is.
      </EmptyState>
    )
  if (shown === 'over')
    return (
      <EmptyState icon={IconUserCheck} title="Every question was answered">
        A question whose time ran out before anybody answered is listed here, as is one of a run that was
        cancelled.
      </EmptyState>
    )
  return (
    <EmptyState icon={IconUserCheck} title="Nothing to answer" help="waiting#approve">
      Put an Approve into a flow: it asks a question, waits for days if it has to, and continues the run
      according to the answer. People without a key answer at the link that <code>{'{$approve.<node>}'}</code>{' '}
      gives, in a mail for instance.
    </EmptyState>
  )
}

function ApprovalRow({ approval }: { readonly approval: Approval }) {
  const mayAnswer = useMay('trigger')
  const { data: flows = [] } = useFlows()
  const flow = flows.find(({ id }) => id === approval.flow_id)
  return (
    <li className={classes.row}>
      <div className={classes.summary}>
        <Question text={approval.question} />
        <div className={classes.about}>
          {flow === undefined ? (
            <span>A deleted flow</span>
          ) : (
            <Link to={`/flows/${flow.id}`} className={classes.flow}>
              {flow.name}
            </Link>
          )}
          <Link to={`/runs/${approval.run_id}`}>
            Run <code>{shortId(approval.run_id)}</code>
          </Link>
          <span>
            Asked <RelativeTime at={approval.created_at} />
          </span>
          {approval.status === 'open' && approval.expires_at !== null && (
            <span>
              Expires <RelativeTime at={approval.expires_at} />
            </span>
          )}
          {approval.test && <TestBadge />}
        </div>
      </div>
      {approval.status === 'open' && mayAnswer && (
        <AnswerForm
          approvalId={approval.id}
          question={approval.question}
          choices={approval.choices}
          runId={approval.run_id}
        />
      )}
      {approval.answer !== null && <GivenAnswer answer={approval.answer} />}
    </li>
  )
}

function GivenAnswer({ answer }: { readonly answer: NonNullable<Approval['answer']> }) {
  const who = answer.by ?? 'somebody with the link'
  return (
    <div className={classes.answer}>
      <strong>{answer.choice}</strong>
      <span>
        by {who}
        {answer.via === 'link' && answer.by !== null && ' (by link)'}, <RelativeTime at={answer.at} />
      </span>
      {answer.comment !== null && <q className={classes.comment}>{answer.comment}</q>}
    </div>
  )
}
