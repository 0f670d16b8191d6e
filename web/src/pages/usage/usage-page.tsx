import { SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router'
import { useUsage } from '../../api/costs.ts'
import { EmptyState } from '../../design/empty-state.tsx'
import { ErrorState } from '../../design/error-state.tsx'
import { IconChartBar } from '../../design/icons/page-icons.ts'
import { LoadingState } from '../../design/loading-state.tsx'
import { Page } from '../../design/page.tsx'
import { PageHeader } from '../../design/page-header.tsx'
import { useNow } from '../../design/use-now.ts'
import { costText, countText, daysBefore, everyDay } from './amounts.ts'
import { BudgetList } from './budget-list.tsx'
import { DayPlot, type Measure } from './day-plot.tsx'
import { PriceList } from './price-list.tsx'
import { TotalsTable } from './totals-table.tsx'
import classes from './usage-page.module.css'

/** What models were used for, by day, model, flow and context; and what may be spent. */
export function UsagePage() {
  const [days, setDays] = useState('30')
  const since = daysBefore(useNow(), Number(days))
  const { data, error, isPending, refetch } = useUsage(since)
  return (
    <Page>
      <PageHeader
        title="Usage"
        actions={
          <SegmentedControl
            aria-label="How many days"
            value={days}
            onChange={setDays}
            data={['7', '30', '90'].map((value) => ({ value, label: `${value} days` }))}
          />
        }
      >
        Tokens and costs of language models. Days are those of UTC; what was used stays here when runs are
        deleted.
      </PageHeader>
      {isPending && <LoadingState rows={3} height={96} />}
      {error !== null && data === undefined && <ErrorState error={error} onRetry={() => void refetch()} />}
      {data !== undefined && <Shown usage={data} />}
      <BudgetList />
      <PriceList />
    </Page>
  )
}

function Shown({ usage }: { readonly usage: NonNullable<ReturnType<typeof useUsage>['data']> }) {
  const { since, until, total, days, models, flows, contexts } = usage
  const [measure, setMeasure] = useState<Measure>('cost')
  if (total.calls === 0)
    return (
      <EmptyState icon={IconChartBar} title="No model has been asked yet" help="costs">
        Language Model, Agent and collections with a model are counted here.
      </EmptyState>
    )
  return (
    <>
      <div className={classes.total}>
        <span>
          <strong>{costText(total.cost)}</strong> in {countText(total.calls)}{' '}
          {total.calls === 1 ? 'call' : 'calls'}, {countText(total.input_tokens)} tokens in and{' '}
          {countText(total.output_tokens)} out
        </span>
        <SegmentedControl
          aria-label="What is plotted"
          value={measure}
          onChange={(value) => setMeasure(value as Measure)}
          data={[
            { value: 'cost', label: 'Cost' },
            { value: 'tokens', label: 'Tokens' }
          ]}
        />
      </div>
      <DayPlot days={everyDay(since, until)} used={days} measure={measure} />
      {total.unpriced_calls > 0 && (
        <p className={classes.note}>
          * {countText(total.unpriced_calls)} calls were of models without a price, and are not in the cost.
        </p>
      )}
      <TotalsTable title="By model" rows={models.map((of) => ({ key: of.model, name: of.model, of }))} />
      <TotalsTable
        title="By flow"
        rows={flows.map((of) => ({ key: of.flow_id ?? '', name: flowName(of), of }))}
      />
      <TotalsTable
        title="By context"
        rows={contexts.map((of) => ({ key: of.context, name: of.context, of }))}
      />
      <TotalsTable title="By day" rows={days.map((of) => ({ key: of.day, name: of.day, of })).reverse()} />
    </>
  )
}

function flowName({ flow_id, name }: { flow_id: string | null; name: string | null }) {
  if (flow_id === null) return 'No flow'
  return name === null ? 'A deleted flow' : <Link to={`/flows/${flow_id}`}>{name}</Link>
}
