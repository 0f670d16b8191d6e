import { Button, NumberInput, Select } from '@mantine/core'
import { useState } from 'react'
import { useContexts } from '../../api/contexts.ts'
import { type Budget, useBudgets, useSetBudget } from '../../api/costs.ts'
import { useMay } from '../../api/session.ts'
import { ErrorState } from '../../design/error-state.tsx'
import { ProblemNote } from '../../design/problem-note.tsx'
import { costText } from './amounts.ts'
import classes from './usage-page.module.css'

const STATES = { ok: '', near: 'More than 80 % is spent', exceeded: 'Used up' } as const

/** What contexts may spend in a month and in a run, and where that stands. */
export function BudgetList() {
  const { data, error, refetch } = useBudgets()
  const mayAdmin = useMay('admin')
  const set = useSetBudget()
  if (error !== null && data === undefined) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (data === undefined || (data.length === 0 && !mayAdmin)) return null
  return (
    <section className={classes.part}>
      <h2 className={classes.title}>Budgets</h2>
      {data.length > 0 && (
        <ul className={classes.list} aria-label="Budgets">
          {data.map((budget) => (
            <li key={budget.context} className={classes.row} data-state={budget.state}>
              <div>
                <strong>{budget.context}</strong>
                <div className={classes.note}>{budgetText(budget)}</div>
              </div>
              {budget.state !== 'ok' && <strong className={classes.state}>{STATES[budget.state]}</strong>}
              {mayAdmin && (
                <Button
                  variant="subtle"
                  size="compact-sm"
                  onClick={() => set.mutate({ context: budget.context, per_month: null, per_run: null })}
                >
                  Remove
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
      {mayAdmin && <BudgetForm set={set} />}
      <ProblemNote error={set.error} />
    </section>
  )
}

function budgetText({ per_month, per_run, spent }: Budget): string {
  const month =
    per_month === null
      ? `${costText(spent)} this month`
      : `${costText(spent)} of ${costText(per_month)} this month`
  return per_run === null ? month : `${month}, at most ${costText(per_run)} in a run`
}

function BudgetForm({ set }: { readonly set: ReturnType<typeof useSetBudget> }) {
  const { data: contexts = [] } = useContexts()
  const [context, setContext] = useState('/')
  const [month, setMonth] = useState<number | string>('')
  const [run, setRun] = useState<number | string>('')
  const bound = (value: number | string) => (typeof value === 'number' ? value : null)
  const submit = (event: React.FormEvent) => {
    event.preventDefault()
    set.mutate({ context, per_month: bound(month), per_run: bound(run) })
  }
  return (
    <form className={classes.form} onSubmit={submit} aria-label="Set a budget">
      <Select
        label="Context"
        data={[...new Set(['/', ...contexts.map(({ path }) => path)])]}
        value={context}
        allowDeselect={false}
        onChange={(value) => setContext(value ?? '/')}
      />
      <NumberInput label="Per month" min={0} value={month} onChange={setMonth} placeholder="No limit" />
      <NumberInput label="Per run" min={0} value={run} onChange={setRun} placeholder="No limit" />
      <Button type="submit" loading={set.isPending} disabled={bound(month) === null && bound(run) === null}>
        Set budget
      </Button>
    </form>
  )
}
