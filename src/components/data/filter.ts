import { defineComponent, inTurns, type JsonValue, StepError, type Turns } from '../../plugin-api.ts'
import { compileColumnCondition } from '../expression/column-condition.ts'
import { conditionOf } from '../expression/condition-of.ts'
import { compileExpression, type Expression, expressionFault } from '../expression/expression.ts'
import { ofRun, RUN_NAMES } from '../expression/run-names.ts'
import { ASK, type ColumnCondition, NO, YES } from '../expression/verdicts.ts'
import { compileList, LIST_FIELD, listFaults, rowsOf } from './rows-of.ts'

/** Names of the row, and of its place in the list. */
const ROW_NAMES = ['data', 'item']
const NAMES = ['item', 'index', ...RUN_NAMES]

/** Rows that are judged at once. */
const ROWS_AT_ONCE = 1_000
/** Steps of CEL before others have their turn: a tenth of a millisecond. */
const STEPS_PER_TURN = 1_000
/** What a row takes besides the steps of its condition. */
const STEPS_PER_ROW = 10

/** Keeps the items of a list that a condition holds for. */
export const filter = defineComponent({
  type: 'filter',
  title: 'Filter',
  description:
    'Keeps the items of a list that a condition holds for. The others leave by an output of their own.',
  category: 'Data',
  icon: 'filter',
  keywords: [
    'where',
    'keep',
    'remove',
    'discard',
    'condition',
    'query',
    'rows',
    'search',
    'grep',
    'filter data'
  ],
  example: 'data.total > 100 keeps the large orders of a list.',
  effects: 'pure',
  fields: {
    expression: {
      kind: 'text',
      title: 'Condition',
      help: 'In CEL. data (or item) is the item, index its place from 0; nodes, run and now are there, too.',
      placeholder: 'data.total > 100 && data.country == "DE"',
      multiline: true,
      condition: true
    },
    ...LIST_FIELD
  },
  mainFields: ['expression'],
  inputs: { data: { title: 'Data', type: 'any', help: 'A list.' } },
  outputs: {
    data: { title: 'Data', type: 'any', help: 'The items that the condition holds for, in order.' },
    others: { title: 'Others', type: 'any', help: 'The items that it does not hold for.' }
  },
  check: (fields) => {
    const fault = expressionFault('expression', fields.expression, NAMES)
    return [...(fault === undefined ? [] : [fault]), ...listFaults(fields)]
  },
  prepare: ({ expression, path }) => {
    const compiled = compileExpression(expression, NAMES)
    return {
      expression: compiled,
      quick: compileColumnCondition(compiled.ast, ROW_NAMES),
      list: compileList(path)
    }
  },
  run: (step) => {
    const { expression, quick, list } = step.prepared
    const condition = { expression, quick, others: ofRun(step.run.variables) }
    return inTurns(filtered(rowsOf(step.inputs.data, list), condition), step)
  }
})

interface Condition {
  readonly expression: Expression
  readonly quick: ColumnCondition | undefined
  readonly others: Readonly<Record<string, unknown>> | undefined
}

interface Filtered {
  readonly data: JsonValue[]
  readonly others: JsonValue[]
}

function* filtered(rows: readonly JsonValue[], condition: Condition): Turns<Filtered> {
  const result: Filtered = { data: [], others: [] }
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
    const part = rows.slice(from, from + ROWS_AT_ONCE)
    const verdicts = condition.quick?.(part) ?? new Uint8Array(part.length).fill(ASK)
    yield* askForTheRest(verdicts, part, condition, from)
    share(part, verdicts, result)
    yield
  }
  return result
}

/** Judges by CEL what is not known yet. */
function* askForTheRest(
  verdicts: Uint8Array,
  part: readonly JsonValue[],
  { expression, others }: Condition,
  from: number
): Turns<void> {
  let steps = 0
  for (let at = verdicts.indexOf(ASK); at >= 0; at = verdicts.indexOf(ASK, at)) {
    verdicts[at] = holds(expression, part[at]!, { ...others, index: from + at }) ? YES : NO
    steps += expression.spent + STEPS_PER_ROW
    if (steps < STEPS_PER_TURN) continue
    steps = 0
    yield
  }
}

function share(part: readonly JsonValue[], verdicts: Uint8Array, { data, others }: Filtered): void {
  for (let at = 0; at < part.length; at++) (verdicts[at] === YES ? data : others).push(part[at]!)
}

function holds(
  expression: Expression,
  row: JsonValue,
  others: Readonly<Record<string, unknown>> & { readonly index: number }
): boolean {
  try {
    return conditionOf(expression.evaluate(row, { ...others, item: row }))
  } catch (error) {
    if (!(error instanceof StepError)) throw error
    const message = `Item ${others.index}: ${error.message}`
    throw new StepError(message, { code: error.code, retryable: false, cause: error })
  }
}
