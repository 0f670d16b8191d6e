import {
  type ChildResult,
  type ChildRuns,
  compilePath,
  defineComponent,
  type JsonValue,
  pathFault,
  StepError,
  type ValuePath
} from '../../plugin-api.ts'

/** Of one For each. What is more is better cut into parts by the sender. */
const MOST_ITEMS = 100_000

/** To start and to collect a hundred thousand items takes a while. */
const HOUR_MS = 3_600_000

/** Runs the nodes that stand in it once for each item of a list, each as a run of its own, and brings together what came of them. */
export const forEach = defineComponent({
  type: 'for-each',
  title: 'For each',
  description: 'Runs the nodes inside it once for each item of a list, and gives back the results in order.',
  category: 'Logic',
  icon: 'repeat',
  keywords: [
    'loop',
    'foreach',
    'iterate',
    'iterator',
    'map',
    'repeat',
    'batch',
    'split',
    'list',
    'array',
    'fan-out'
  ],
  example: 'An order of three lines: what stands inside runs three times, and gives three results.',
  // It starts runs: what leads to their inside must be written down before.
  effects: 'external',
  timeoutMs: HOUR_MS,
  fields: {
    list: {
      kind: 'text',
      title: 'List',
      help: 'Where the list is in the data, such as order.lines. Empty: the data itself.',
      placeholder: 'order.lines',
      path: true
    },
    concurrency: {
      kind: 'number',
      title: 'At the same time',
      help: 'How many items are worked on at once. 1: one after the other, in order.',
      default: 1,
      min: 1,
      max: 100,
      integer: true
    },
    failures: {
      kind: 'choice',
      title: 'When an item fails',
      help: 'stop: no further item begins, and the step fails. collect: the others go on, and Errors tells of those that failed.',
      choices: ['stop', 'collect'],
      default: 'stop'
    }
  },
  mainFields: ['list'],
  inputs: { items: { title: 'Items', type: 'any', help: 'A list, or the data that List finds it in.' } },
  outputs: {
    results: {
      title: 'Results',
      type: 'any',
      help: 'One for each item, in order; null where an item failed or gave none.'
    },
    errors: {
      title: 'Errors',
      type: 'any',
      help: 'Of the items that failed: index, code and message. Empty where none did.'
    }
  },
  region: {
    outputs: {
      item: { title: 'Item', type: 'any', help: 'The item of this turn.' },
      index: { title: 'Index', type: 'any', help: 'Its place in the list, from 0.' }
    },
    inputs: { result: { title: 'Result', type: 'any', help: 'What this item gives.' } }
  },
  check: ({ list }) => {
    const message = list.trim() === '' ? undefined : pathFault(list)
    return message === undefined ? [] : [{ field: 'list', message }]
  },
  prepare: ({ list }) => (list.trim() === '' ? undefined : compilePath(list)),
  run: async (step) => {
    const { fields, children } = step
    const items = itemsOf(step)
    const rules = { atOnce: fields.concurrency, stopsOnFailure: fields.failures === 'stop' }
    const started = items.length === 0 ? 'none' : await children.startItems(items, rules)
    if (started === 'started') return children.wait()
    if (started === 'ended') return collect(step)
    return { results: items.map(() => null), errors: [] }
  },
  resume: (step) => collect(step)
})

interface EndedItems {
  readonly inputs: { readonly items?: unknown }
  readonly fields: { readonly failures: string }
  readonly prepared: ValuePath | undefined
  readonly children: ChildRuns
}

async function collect(step: EndedItems) {
  const { fields, children } = step
  const items = itemsOf(step)
  const results: unknown[] = items.map(() => null)
  const unsuccessful: ChildResult[] = []
  for await (const result of children.results((index) => items[index])) {
    if (result.status === 'succeeded') results[result.index] = result.output ?? null
    else unsuccessful.push(result)
    if (fields.failures === 'stop' && isCause(unsuccessful)) break
  }
  if (unsuccessful.length === 0 || fields.failures === 'collect')
    return { results, errors: unsuccessful.map(errorOf) }
  await children.drop()
  const { index, code, message } = errorOf(causeOf(unsuccessful))
  throw new StepError(`Item ${index} of ${items.length} failed (${code}): ${message}`, {
    code: 'item_failed',
    // Another attempt would open again what somebody has cancelled.
    retryable: code !== CANCELLED.code
  })
}

/** Of one that was cancelled only the others tell why. */
function isCause([first]: readonly ChildResult[]): boolean {
  return first?.status === 'failed'
}

/**
 * An item that was cancelled before the first failure was cancelled by somebody. Later ones were dropped for that failure, by
 * a process that died before it could say so.
 */
function causeOf(unsuccessful: readonly ChildResult[]): ChildResult {
  const [failed] = unsuccessful.filter(({ status }) => status === 'failed').sort(byEnd)
  const before = failed?.endedAt ?? Number.POSITIVE_INFINITY
  return unsuccessful.find(({ status, endedAt }) => status === 'cancelled' && endedAt < before) ?? failed!
}

function byEnd(a: ChildResult, b: ChildResult): number {
  return a.endedAt - b.endedAt
}

function errorOf({ index, error }: ChildResult): ItemError {
  const { code, message } = error ?? CANCELLED
  return { index, code, message }
}

interface ItemError {
  readonly index: number
  readonly code: string
  readonly message: string
}

const CANCELLED = { code: 'run_cancelled', message: 'The run of this item was cancelled.' }

function itemsOf({ inputs, prepared: path }: Pick<EndedItems, 'inputs' | 'prepared'>): readonly unknown[] {
  if (path === undefined)
    return listOf(inputs.items, '"items"', 'Wire a list to it, or say in List where it is.')
  const found = path.read(inputs.items as JsonValue | undefined)
  return listOf(found, `"${path.text}" of its data`, 'Correct the path in List, or look at what came in.')
}

function listOf(items: unknown, where: string, remedy: string): readonly unknown[] {
  if (!Array.isArray(items)) {
    throw new StepError(`For each needs a list in ${where} and got ${describe(items)}. ${remedy}`, {
      code: 'items_not_a_list',
      retryable: false
    })
  }
  if (items.length <= MOST_ITEMS) return items
  throw new StepError(
    `The list has ${items.length} items; one For each takes at most ${MOST_ITEMS}. Send it in parts.`,
    { code: 'too_many_items', retryable: false }
  )
}

function describe(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (value === null) return 'null'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}
