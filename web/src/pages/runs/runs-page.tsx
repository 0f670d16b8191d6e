import { Button } from '@mantine/core'
import { useElementSize } from '@mantine/hooks'
import { useCallback, useMemo, useState } from 'react'
import { Link, useParams } from 'react-router'
import { useFlow } from '../../api/flows.ts'
import type { RunQuestion } from '../../api/runs.ts'
import { EmptyState } from '../../design/empty-state.tsx'
import { ErrorState } from '../../design/error-state.tsx'
import { IconListDetails, IconSearchOff } from '../../design/icons/page-icons.ts'
import { LoadingState } from '../../design/loading-state.tsx'
import { Page } from '../../design/page.tsx'
import { PageHeader } from '../../design/page-header.tsx'
import { useCommands } from '../../shell/commands.ts'
import type { BulkAction } from './bulk/bulk-action.ts'
import { BulkBar } from './bulk/bulk-bar.tsx'
import { BulkDialog } from './bulk/bulk-dialog.tsx'
import type { RunFeed } from './feed/run-feed.ts'
import { type ShownFeed, useFeedView, useRunFeed } from './feed/use-run-feed.ts'
import { FilterBar } from './filter/filter-bar.tsx'
import { isBlank, type RunFilter } from './filter/run-filter.ts'
import { useRunFilter, useRunQuestion } from './filter/use-run-filter.ts'
import { ROW_COMMANDS } from './list/row-commands.ts'
import { useIsNarrow } from './list/row-height.ts'
import { RunList } from './list/run-list.tsx'
import { LiveMark } from './live-mark.tsx'
import { RunPlots } from './plots/run-plots.tsx'
import classes from './runs-page.module.css'
import { NOTHING_CHOSEN, type Selection } from './selection.ts'
import { type FlowChoice, useFlowChoices } from './use-flow-choices.ts'

const NO_FLOWS: readonly FlowChoice[] = []

/** Runs of every flow, or of the one that the address names. */
export function RunsPage() {
  const { flow } = useParams()
  return flow === undefined ? <RunsView /> : <RunsOfFlow key={flow} reference={flow} />
}

function RunsOfFlow({ reference }: { readonly reference: string }) {
  const { data: flow, error, refetch } = useFlow(reference)
  if (error !== null && flow === undefined) {
    return (
      <Page>
        <ErrorState error={error} onRetry={() => void refetch()} />
      </Page>
    )
  }
  return flow === undefined ? (
    <Page>
      <LoadingState />
    </Page>
  ) : (
    <RunsView flow={flow} />
  )
}

function RunsView({ flow }: { readonly flow?: FlowChoice }) {
  const { filter, change, clear } = useRunFilter()
  const question = useRunQuestion(filter, flow?.id)
  const shown = useRunFeed(question)
  const flows = useFlowChoices()
  const isNarrow = useIsNarrow()
  useCommands(ROW_COMMANDS)
  const { ref: filters, height: filtersHeight } = useElementSize<HTMLDivElement>()
  return (
    <Page>
      <RunsHeader flow={flow} />
      <RunPlots filter={filter} flowId={question.flow_id} feed={shown.feed} onChange={change} />
      <div className={classes.filters}>
        <div ref={filters} className={classes.filtersInside}>
          <FilterBar
            filter={filter}
            onChange={change}
            flows={flow === undefined ? (flows ?? NO_FLOWS) : NO_FLOWS}
          >
            <Count feed={shown.feed} />
          </FilterBar>
        </div>
      </div>
      {shown.feed === undefined ? (
        <LoadingState rows={8} height={36} />
      ) : (
        <FoundRuns
          feed={shown.feed}
          isOutdated={shown.isOutdated}
          question={question}
          isOfOneFlow={flow !== undefined}
          stickyTop={isNarrow ? 0 : filtersHeight}
          instead={<NoRuns filter={filter} flow={flow} onClear={clear} />}
        />
      )}
    </Page>
  )
}

interface FoundRunsProps {
  readonly feed: RunFeed
  readonly isOutdated: boolean
  readonly question: RunQuestion
  readonly isOfOneFlow: boolean
  readonly stickyTop: number
  /** Where there are none. */
  readonly instead: React.ReactNode
}

/** The rows, and what can be done with those that are chosen. Drawn apart from the rest, which does not change with them. */
function FoundRuns({ feed, isOutdated, question, isOfOneFlow, stickyTop, instead }: FoundRunsProps) {
  const view = useFeedView(feed)
  const [selection, setSelection] = useSelection(question)
  const [action, setAction] = useState<BulkAction>()
  const nameOf = useFlowNames()
  const { rows, isComplete, error } = view
  return (
    <>
      <RunList
        feed={feed}
        view={view}
        isOutdated={isOutdated}
        nameOf={isOfOneFlow ? undefined : nameOf}
        selection={selection}
        onSelect={setSelection}
        stickyTop={stickyTop}
        instead={
          error !== null ? (
            <ErrorState error={error} onRetry={() => feed.retry()} />
          ) : isComplete ? (
            instead
          ) : (
            <LoadingState rows={8} height={36} />
          )
        }
      />
      <BulkBar
        selection={selection}
        mayWiden={selection.kind === 'some' && selection.ids.size === rows.length && !isComplete}
        onWiden={() => setSelection({ kind: 'all' })}
        onClear={() => setSelection(NOTHING_CHOSEN)}
        onAct={setAction}
      />
      {action !== undefined && (
        <BulkDialog
          action={action}
          selection={selection}
          question={question}
          feed={feed}
          onClose={(isDone) => {
            setAction(undefined)
            if (isDone) setSelection(NOTHING_CHOSEN)
          }}
        />
      )}
    </>
  )
}

/** What is chosen. Among the runs of another question nothing is: whoever sees other rows means other runs. */
function useSelection(question: RunQuestion): [Selection, (selection: Selection) => void] {
  const [chosen, setChosen] = useState({ question, selection: NOTHING_CHOSEN })
  const selection = chosen.question === question ? chosen.selection : NOTHING_CHOSEN
  const choose = useCallback((next: Selection) => setChosen({ question, selection: next }), [question])
  return [selection, choose]
}

function RunsHeader({ flow }: { readonly flow: FlowChoice | undefined }) {
  const usage = (
    <Button variant="default" component={Link} to="/usage">
      Usage and costs
    </Button>
  )
  if (flow === undefined) return <PageHeader title="Runs" beside={<LiveMark />} actions={usage} />
  return (
    <PageHeader
      title={`Runs of ${flow.name}`}
      beside={<LiveMark />}
      actions={
        <>
          <Button variant="default" component={Link} to={`/flows/${flow.id}`}>
            Canvas
          </Button>
          <Button variant="default" component={Link} to={`/flows/${flow.id}/playground`}>
            Playground
          </Button>
        </>
      }
    />
  )
}

function Count({ feed }: Pick<ShownFeed, 'feed'>) {
  const { rows, isComplete, isReady } = useFeedView(feed)
  if (!isReady) return null
  const noun = rows.length === 1 && isComplete ? 'run' : 'runs'
  return (
    <span role="status" data-count>
      {rows.length.toLocaleString()}
      {isComplete ? '' : '+'} {noun}
    </span>
  )
}

interface NoRunsProps {
  readonly filter: RunFilter
  readonly flow: FlowChoice | undefined
  readonly onClear: () => void
}

function NoRuns({ filter, flow, onClear }: NoRunsProps) {
  if (isBlank(filter)) {
    return (
      <EmptyState icon={IconListDetails} title="No runs yet" help="runs">
        {flow === undefined
          ? 'A run starts when a request reaches the webhook of a flow. It shows up here at once.'
          : 'A run starts when a request reaches the webhook of this flow. It shows up here at once.'}
      </EmptyState>
    )
  }
  return (
    <EmptyState
      icon={IconSearchOff}
      title="No run matches"
      actions={
        <Button variant="default" onClick={onClear}>
          Show all runs
        </Button>
      }
    >
      The search looks at inputs, errors and the beginning of run ids. New runs that match show up here by
      themselves.
    </EmptyState>
  )
}

/** How the flow of a run is called. */
function useFlowNames(): (flowId: string) => string {
  const flows = useFlowChoices()
  const names = useMemo(() => new Map(flows?.map(({ id, name }) => [id, name])), [flows])
  const isKnown = flows !== undefined
  return useCallback((id: string) => names.get(id) ?? (isKnown ? 'Deleted flow' : '…'), [names, isKnown])
}
