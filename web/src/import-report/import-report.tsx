import { Button, Group, Select, Stack } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router'
import { useComponents } from '../api/components.ts'
import type { FlowReport, NodeReport, Verdict } from '../api/imports.ts'
import type { NewConnection } from '../connection-forms/connection-dialog.tsx'
import { counted } from '../design/counted.ts'
import { IconAlertTriangle, IconCircleCheck, IconInfoCircle } from '../design/icons/page-icons.ts'
import { LoadingState } from '../design/loading-state.tsx'
import { ProblemNote } from '../design/problem-note.tsx'
import { saveFile } from '../design/save-file.ts'
import classes from './import-report.module.css'
import { MissingPart } from './missing-part.tsx'
import { reportMarkdown } from './report-markdown.ts'
import {
  byVerdict,
  lostWires,
  nextSteps,
  toolOf,
  VERDICT_WORDS,
  verdictCounts,
  wireWords
} from './report-words.ts'
import type { ImportReview } from './use-import-review.ts'

interface ImportReportProps {
  readonly review: ImportReview
  readonly onMake: (connection: NewConnection) => void
  readonly onClose: () => void
}

/** What becomes of each node of a file; then it is imported, and leads to the flows. */
export function ImportReport({ review, onMake, onClose }: ImportReportProps) {
  const { report, isSaved, error } = review
  return (
    <Stack gap="lg" className={classes.report}>
      {report === undefined && error === null && <LoadingState rows={4} />}
      {report !== undefined && (
        <>
          <Summary review={review} />
          {!isSaved && <ContextChoice review={review} />}
          <MissingPart review={review} onMake={onMake} />
          <section aria-label="What to do next">
            <h3 className={classes.heading}>{isSaved ? 'What to do next' : 'What there will be to do'}</h3>
            <ol className={classes.steps}>
              {nextSteps(report.flows).map((step) => (
                <li key={step}>{step}</li>
              ))}
            </ol>
          </section>
          {report.flows.map((flow) => (
            <FlowPart
              key={flow.slug}
              flow={flow}
              context={review.context}
              isOpen={report.flows.length <= MOST_OPEN}
              onLeave={onClose}
            />
          ))}
        </>
      )}
      <ProblemNote error={error} />
      <Group justify="flex-end" className={classes.foot}>
        <Button variant="default" onClick={onClose}>
          {isSaved ? 'Close' : 'Cancel'}
        </Button>
        <MainAction review={review} onLeave={onClose} />
      </Group>
    </Stack>
  )
}

/** More flows than that are listed, and opened one by one. */
const MOST_OPEN = 3

function MainAction({ review, onLeave }: { readonly review: ImportReview; readonly onLeave: () => void }) {
  const { report, isSaved, isSaving, save } = review
  if (report === undefined) return null
  const [first, ...others] = report.flows
  if (!isSaved)
    return (
      <Button onClick={save} loading={isSaving} data-autofocus>
        {others.length === 0 ? 'Import as a draft' : `Import ${counted(report.flows.length, 'draft')}`}
      </Button>
    )
  if (first === undefined || others.length > 0) return null
  return (
    <Button component={Link} to={`/flows/${first.id}`} onClick={onLeave}>
      Open the flow
    </Button>
  )
}

function Summary({ review: { file, report, isSaved } }: { readonly review: ImportReview }) {
  if (report === undefined) return null
  const { flows } = report
  const counts = verdictCounts(flows)
  const lost = lostWires(flows)
  const what = `${counted(flows.length, 'flow')} of ${toolOf(report)}`
  const is = flows.length === 1 ? 'is' : 'are'
  return (
    <section aria-label="Summary" className={classes.summary}>
      <p className={classes.summaryLead} role="status">
        {isSaved
          ? `${what} ${is} here as ${flows.length === 1 ? 'a draft' : 'drafts'}. Nothing is live before somebody publishes it.`
          : `${what}. Nothing is saved yet, and nothing of the file is executed.`}
      </p>
      {report.left_out.map((each) => (
        <p key={each}>{each}</p>
      ))}
      <ul className={classes.counts} aria-label="Nodes by verdict">
        {(['exact', 'adapted', 'placeholder'] as const).map((verdict) => (
          <li
            key={verdict}
            className={classes.count}
            data-verdict={verdict}
            data-none={counts[verdict] === 0 || undefined}
          >
            <strong>{counts[verdict].toLocaleString('en')}</strong>
            {verdict === 'placeholder' && counts[verdict] !== 1
              ? 'placeholders'
              : VERDICT_WORDS[verdict].toLowerCase()}
          </li>
        ))}
        {lost > 0 && (
          <li className={classes.count} data-verdict="lost">
            <strong>{lost.toLocaleString('en')}</strong>
            {lost === 1 ? 'wire lost' : 'wires lost'}
          </li>
        )}
      </ul>
      <Button
        size="compact-sm"
        variant="subtle"
        className={classes.keep}
        onClick={() => saveFile(`${file.name}.report.md`, reportMarkdown(file.name, report), 'text/markdown')}
      >
        Save the report
      </Button>
    </section>
  )
}

function ContextChoice({ review }: { readonly review: ImportReview }) {
  const { context, contexts, chooseContext } = review
  if (contexts.length < 2) return null
  return (
    <Select
      label="Context"
      className={classes.context}
      data={[...contexts]}
      value={context}
      allowDeselect={false}
      searchable
      onChange={(path) => chooseContext(path ?? '/')}
    />
  )
}

interface FlowPartProps {
  readonly flow: FlowReport
  readonly context: string
  readonly isOpen: boolean
  readonly onLeave: () => void
}

function FlowPart({ flow, context, isOpen, onLeave }: FlowPartProps) {
  const { id, name, slug, nodes, wires } = flow
  // What is closed is not drawn: an archive may hold hundreds of flows.
  const [open, setOpen] = useState(isOpen)
  const { exact, adapted, placeholder } = verdictCounts([flow])
  return (
    <section aria-label={name}>
      <h3 className={classes.heading}>
        {id === null ? (
          name
        ) : (
          <Link to={`/flows/${id}`} onClick={onLeave}>
            {name}
          </Link>
        )}
      </h3>
      <p className={classes.quiet}>
        <code>{slug}</code>, {wireWords(wires)}
      </p>
      <details open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary className={classes.toggle}>
          {counted(nodes.length, 'node')}: {exact} exact, {adapted} adapted,{' '}
          {counted(placeholder, 'placeholder')}
        </summary>
        {open && <NodeList nodes={nodes} context={context} />}
      </details>
    </section>
  )
}

function NodeList({ nodes, context }: { readonly nodes: readonly NodeReport[]; readonly context: string }) {
  const { data: components = [] } = useComponents(context)
  const titles = new Map(components.map(({ type, title }) => [type, title]))
  if (nodes.length === 0) return <p className={classes.quiet}>It has no nodes.</p>
  return (
    <table className={classes.nodes}>
      <thead>
        <tr>
          <th scope="col">Was</th>
          <th scope="col">Becomes</th>
          <th scope="col">Verdict</th>
        </tr>
      </thead>
      <tbody>
        {byVerdict(nodes).map(({ node, title, was, became, verdict, note }) => (
          <tr key={`${node} ${was} ${title}`}>
            <td>
              <strong>{title}</strong>
              <span className={classes.quiet}>{was}</span>
            </td>
            <td>
              <strong>{titles.get(became) ?? became}</strong>
              <code className={classes.quiet}>{node}</code>
            </td>
            <td>
              <VerdictBadge verdict={verdict} />
              {note !== '' && <span className={classes.note}>{note}</span>}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const ICONS = { exact: IconCircleCheck, adapted: IconInfoCircle, placeholder: IconAlertTriangle }

/** By icon, word and colour: never by colour alone. */
function VerdictBadge({ verdict }: { readonly verdict: Verdict }) {
  const Icon = ICONS[verdict]
  return (
    <span className={classes.badge} data-verdict={verdict}>
      <Icon size={14} stroke={2.2} aria-hidden />
      {VERDICT_WORDS[verdict]}
    </span>
  )
}
