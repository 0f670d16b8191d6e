import {
  type ChildRuns,
  defineComponent,
  type FieldFault,
  type JsonValue,
  type Round,
  type RunView,
  readDuration,
  StepError,
  type StepWait,
  type Woken
} from '../../plugin-api.ts'
import { conditionOf } from '../expression/condition-of.ts'
import { compileExpression, type Expression, expressionFault } from '../expression/expression.ts'
import { ofRun, RUN_NAMES } from '../expression/run-names.ts'

/** Of one Repeat. */
const MOST_ROUNDS = 100_000

/** Rounds that only compute are run in one go, and many of them take a while. */
const HOUR_MS = 3_600_000

const OTHERS = ['index', ...RUN_NAMES]

/** Undefined where no condition is written: then only the number of rounds ends it. */
type Until = Expression | undefined

/** Runs the nodes that stand in it again and again, each round with what the one before gave. */
export const repeat = defineComponent({
  type: 'repeat',
  title: 'Repeat',
  description:
    'Runs the nodes inside it again and again, each round with what the last one gave, until a condition holds.',
  category: 'Logic',
  icon: 'refresh',
  keywords: [
    'loop',
    'while',
    'until',
    'poll',
    'polling',
    'again',
    'retry',
    'iterate',
    'cycle',
    'pages',
    'recursion'
  ],
  example: 'Asks for the state of an export every 10s until data.status == "done", 100 times at most.',
  // It starts runs: what leads to their inside must be written down before.
  effects: 'external',
  timeoutMs: HOUR_MS,
  fields: {
    until: {
      kind: 'text',
      title: 'Until',
      help: 'A condition in CEL, asked after each round, over data (what the round gave) and index (which round it was, from 0); nodes, run and now are there, too. Empty: it ends with the number of rounds.',
      placeholder: 'data.status == "done"',
      multiline: true,
      condition: true
    },
    most: {
      kind: 'number',
      title: 'Rounds at most',
      help: 'After so many rounds what the last one gave leaves by Exhausted.',
      default: 100,
      min: 1,
      max: MOST_ROUNDS,
      integer: true
    },
    pause: {
      kind: 'text',
      title: 'Pause',
      help: 'How long it waits between two rounds: a number of s, m, h or d. The run costs nothing meanwhile.',
      default: '0s',
      placeholder: '10s'
    }
  },
  mainFields: ['until'],
  inputs: { data: { title: 'Data', type: 'any', help: 'What the first round begins with.' } },
  outputs: {
    data: { title: 'Data', type: 'any', help: 'What the last round gave, where the condition held.' },
    exhausted: { title: 'Exhausted', type: 'any', help: 'What it gave, where the condition never held.' }
  },
  region: {
    outputs: {
      data: { title: 'Data', type: 'any', help: 'What this round begins with.' },
      index: { title: 'Index', type: 'any', help: 'Which round it is, from 0.' }
    },
    inputs: {
      next: {
        title: 'Next',
        type: 'any',
        help: 'What the next round begins with. Without it the data stays as it is.'
      }
    }
  },
  check: ({ until, pause }) => [...untilFaults(until), ...pauseFaults(pause)],
  prepare: ({ until }): Until => (until.trim() === '' ? undefined : compileExpression(until, OTHERS)),
  run: async (step) => {
    const isAtOnce = pauseOf(step.fields.pause) === 0
    await step.children.runRounds(step.inputs.data ?? null, (round) =>
      isAtOnce && !isOver(round, step) ? { data: dataAfter(round) } : undefined
    )
    return goOn(step)
  },
  resume: (step, woken) => goOn(step, woken)
})

interface Repeating {
  readonly inputs: { readonly data?: unknown }
  readonly fields: { readonly most: number; readonly pause: string }
  readonly prepared: Until
  readonly run: Pick<RunView, 'variables'>
  readonly children: ChildRuns
  readonly now: () => number
  readonly wait: (asked: { readonly kind: 'time'; readonly until: number }) => StepWait
}

async function goOn(step: Repeating, woken?: Woken) {
  const { children, inputs } = step
  const last = await children.lastRound()
  if (last === undefined) return begin(step, 0, inputs.data ?? null)
  if (last.status === 'open') return children.wait()
  if (last.status !== 'succeeded') throw failureOf(last)
  const data = dataAfter(last)
  if (holds(last, step)) return { data }
  if (last.index + 1 >= step.fields.most) return { exhausted: data }
  const until = last.endedAt + pauseOf(step.fields.pause)
  const hasPaused = woken?.by === 'time' && woken.at >= last.endedAt
  if (!hasPaused && step.now() < until) return step.wait({ kind: 'time', until })
  return begin(step, last.index + 1, data)
}

async function begin({ children }: Repeating, index: number, data: unknown): Promise<StepWait> {
  await children.startRound(index, data)
  return children.wait()
}

/** A round that gives nothing leaves the data as it was. */
function dataAfter({ given, output }: Round): unknown {
  return output === undefined ? given : output
}

function holds(round: Round, { prepared, run }: Pick<Repeating, 'prepared' | 'run'>): boolean {
  if (prepared === undefined) return false
  const { index, endedAt } = round
  // Not when the step began: a loop that ends at a certain time asks for the time that it is.
  const others = { ...ofRun(run.variables), now: new Date(endedAt), index }
  return conditionOf(prepared.evaluate(dataAfter(round) as JsonValue, others))
}

/** What is wrong with the condition is told when the round is looked at again. */
function isOver(round: Round, step: Pick<Repeating, 'prepared' | 'fields' | 'run'>): boolean {
  if (round.index + 1 >= step.fields.most) return true
  try {
    return holds(round, step)
  } catch {
    return true
  }
}

function failureOf({ index, status, error }: Round): StepError {
  if (status === 'failed' && error !== null) {
    return new StepError(`Round ${index} failed (${error.code}): ${error.message}`, { code: 'round_failed' })
  }
  // Another attempt would open again what somebody has cancelled.
  return new StepError(`Round ${index} was cancelled.`, { code: 'round_failed', retryable: false })
}

function untilFaults(until: string): FieldFault[] {
  if (until.trim() === '') return []
  const fault = expressionFault('until', until, OTHERS)
  return fault === undefined ? [] : [fault]
}

function pauseFaults(pause: string): FieldFault[] {
  // A variable of the context is filled in when the step runs.
  if (pause.includes('{$')) return []
  const read = readPause(pause)
  return typeof read === 'number' ? [] : [{ field: 'pause', message: read.wrong }]
}

function pauseOf(pause: string): number {
  const read = readPause(pause)
  if (typeof read === 'number') return read
  throw new StepError(`Field "pause": ${read.wrong}`, { code: 'invalid_duration', retryable: false })
}

function readPause(pause: string): ReturnType<typeof readDuration> {
  return pause.trim() === '' ? 0 : readDuration(pause)
}
