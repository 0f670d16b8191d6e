import { Button } from '@mantine/core'
import { useElementSize, useMediaQuery } from '@mantine/hooks'
import { IconListDetails, IconSearchOff } from '@tabler/icons-react'
import { useCallback, useMemo, useState } from 'react'
import { Link, useParams } from 'react-router'
import { useFlow, useFlows } from '../../api/flows.ts'
import type { RunQuestion } from '../../api/runs.ts'
import { EmptyState } from '../../design/empty-state.tsx'
import { ErrorState } from '../../design/error-state.tsx'
import { LoadingState } from '../../design/loading-state.tsx'
import { Page } from '../../design/page.tsx'
import { PageHeader } from '../../design/page-header.tsx'
import type { BulkAction } from './bulk/bulk-action.ts'
import { BulkBar } from './bulk/bulk-bar.tsx'
import { BulkDialog } from './bulk/bulk-dialog.tsx'
import { type ShownFeed, useRunFeed } from './feed/use-run-feed.ts'
import { FilterBar } from './filter/filter-bar.tsx'
import { isBlank, type RunFilter } from './filter/run-filter.ts'
import { useRunFilter, useRunQuestion } from './filter/use-run-filter.ts'
import { NARROW } from './list/row-height.ts'
import { RunList } from './list/run-list.tsx'
import { LiveMark } from './live-mark.tsx'
import { RunPlots } from './plots/run-plots.tsx'
import classes from './runs-page.module.css'
import { NOTHING_CHOSEN, type Selection } from './selection.ts'

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

function RunsView({ flow }: { readonly flow?: { readonly id: string; readonly name: string } }) {
  const { filter, change, clear } = useRunFilter()
  const flowId = flow?.id ?? (filter.flow || undefined)
  const question = useRunQuestion(filter, flow?.id)
  const shown = useRunFeed(question)
  const [selection, setSelection] = useSelection(question)
  const [action, setAction] = useState<BulkAction>()
  const flows = useFlows().data
  const isNarrow = useMediaQuery(NARROW, window.matchMedia(NARROW).matches)
  const { ref: filters, height: filtersHeight } = useElementSize<HTMLDivElement>()
  const nameOf = useFlowNames(flow === undefined)
  const { rows, isComplete } = shown.view
  return (
    <Page>
      <RunsHeader flow={flow} />
      <RunPlots filter={filter} flowId={flowId} onChange={change} />
      <div className={classes.filters}>
        <div ref={filters} className={classes.filtersInside}>
          <FilterBar filter={filter} onChange={change} flows={flow === undefined ? (flows ?? []) : []}>
            <Count view={shown.view} />
          </FilterBar>
        </div>
      </div>
      {shown.feed === undefined ? (
        <LoadingState rows={8} height={36} />
      ) : (
        <RunList
          feed={shown.feed}
          view={shown.view}
          isOutdated={shown.isOutdated}
          nameOf={nameOf}
          selection={selection}
          onSelect={setSelection}
          stickyTop={isNarrow ? 0 : filtersHeight}
          instead={<Instead shown={shown} filter={filter} flow={flow} onClear={clear} />}
        />
      )}
      <BulkBar
        selection={selection}
        mayWiden={selection.kind === 'some' && selection.ids.size === rows.length && !isComplete}
        onWiden={() => setSelection({ kind: 'all' })}
        onClear={() => setSelection(NOTHING_CHOSEN)}
        onAct={setAction}
      />
      {action !== undefined && shown.feed !== undefined && (
        <BulkDialog
          action={action}
          selection={selection}
          question={question}
          feed={shown.feed}
          onClose={(isDone) => {
            setAction(undefined)
            if (isDone) setSelection(NOTHING_CHOSEN)
          }}
        />
      )}
    </Page>
  )
}

/** What is chosen. Among the runs of another question nothing is: whoever sees other rows means other runs. */
function useSelection(question: RunQuestion): [Selection, (selection: Selection) => void] {
  const [chosen, setChosen] = useState({ question, selection: NOTHING_CHOSEN })
  const selection = chosen.question === question ? chosen.selection : NOTHING_CHOSEN
  const choose = useCallback((next: Selection) => setChosen({ question, selection: next }), [question])
  return [selection, choose]
}

function RunsHeader({ flow }: { readonly flow: { readonly id: string; readonly name: string } | undefined }) {
  if (flow === undefined) return <PageHeader title="Runs" beside={<LiveMark />} />
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

function Count({ view: { rows, isComplete, isReady } }: Pick<ShownFeed, 'view'>) {
  if (!isReady) return null
  const words = rows.length === 1 && isComplete ? 'run' : 'runs'
  return (
    <span role="status" data-count>
      {rows.length.toLocaleString()}
      {isComplete ? '' : '+'} {words}
    </span>
  )
}

interface InsteadProps {
  readonly shown: ShownFeed
  readonly filter: RunFilter
  readonly flow: { readonly id: string; readonly name: string } | undefined
  readonly onClear: () => void
}

/** What stands where no row does. */
function Instead({ shown: { feed, view }, filter, flow, onClear }: InsteadProps) {
  if (view.error !== null) return <ErrorState error={view.error} onRetry={() => feed?.retry()} />
  if (!view.isReady || !view.isComplete) return <LoadingState rows={8} height={36} />
  if (isBlank(filter)) {
    return (
      <EmptyState icon={IconListDetails} title="No runs yet">
        {flow === undefined
          ? 'A run starts when a request reaches the webhook of a flow. It shows up here at once.'
          : 'A run starts when a request reaches the webhook of this flow. It shows up here at once.'}
      </EmptyState>
    )
  }
  return (
    <EmptyState
      icon={IconSearchOff}
      title="No run is like that"
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

/** How the flow of a run is called; undefined where nobody needs to be told. */
function useFlowNames(isNeeded: boolean): ((flowId: string) => string) | undefined {
  const { data: flows } = useFlows()
  const names = useMemo(() => new Map(flows?.map(({ id, name }) => [id, name])), [flows])
  const isKnown = flows !== undefined
  const nameOf = useCallback(
    (id: string) => names.get(id) ?? (isKnown ? 'Deleted flow' : '…'),
    [names, isKnown]
  )
  return isNeeded ? nameOf : undefined
}
