import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { type Behaviour, Stage } from './execution.test-kit.ts'
import type { JournalEntry } from './journal.ts'
import { wiredPlan } from './plan.test-kit.ts'
import type { Plan } from './plan.ts'
import { StepError } from './step-error.ts'

type Values = Readonly<Record<string, unknown>>

interface RandomNode {
  readonly type: 'ports' | 'ports-outside'
  readonly isDisabled: boolean
  /** What it returns; null where it fails, and leads its error on. */
  readonly outputs: Values | null
}

interface RandomWire {
  readonly from: number
  readonly to: number
  readonly output: string
  readonly input: string
}

interface RandomFlow {
  readonly nodes: readonly RandomNode[]
  readonly wires: readonly RandomWire[]
}

const output = fc.constantFrom<unknown>(1, 'text', null, undefined, undefined)
const randomNode = fc.record({
  type: fc.constantFrom('ports', 'ports', 'ports-outside'),
  isDisabled: fc.constantFrom(false, false, false, true),
  outputs: fc.option(fc.record({ left: output, right: output }), { freq: 4 })
}) satisfies fc.Arbitrary<RandomNode>

/** Any graph without cycles, with several wires to one input, silent outputs, errors led on and disabled nodes. */
const randomFlow: fc.Arbitrary<RandomFlow> = fc.integer({ min: 1, max: 9 }).chain((size) => {
  const wire = fc.record({
    from: fc.nat(size - 1),
    to: fc.nat(size - 1),
    output: fc.constantFrom('left', 'left', 'right', 'error'),
    input: fc.constantFrom('in', 'in', 'more')
  })
  return fc.record({
    nodes: fc.array(randomNode, { minLength: size, maxLength: size }),
    wires: fc.array(wire, { maxLength: 2 * size }).map((wires) => wires.filter(({ from, to }) => from < to))
  })
})

function planOf({ nodes, wires }: RandomFlow): Plan {
  const named = nodes.map(({ type, isDisabled, outputs }, index) => {
    const options = { ...(outputs === null ? { on_error: 'output' as const } : {}), disabled: isDisabled }
    return [`N${index}`, { type, ...options }] as const
  })
  const ends = wires.map(({ from, to, output, input }) => `N${from}.${output} N${to}.${input}`)
  return wiredPlan(Object.fromEntries(named), ends)
}

function behavioursOf({ nodes }: RandomFlow): Record<string, Behaviour> {
  const behave = ({ type, outputs }: RandomNode) => {
    const result = () => {
      if (outputs === null) throw new StepError('No.', { code: 'no', retryable: false })
      return outputs
    }
    if (type === 'ports') return result
    return () => {
      const later = (async () => result())()
      // Nobody looks at what it brings once the process has died.
      later.catch(() => {})
      return later
    }
  }
  return Object.fromEntries(nodes.map((node, index) => [`N${index}`, behave(node)]))
}

interface Expected {
  readonly statuses: Record<string, string>
  /** Of the steps that run. */
  readonly inputs: Record<string, Values>
}

/** Section by section what the rules say, in the order of the nodes: wires lead from earlier ones to later ones. */
function naively({ nodes, wires }: RandomFlow): Expected {
  const statuses: Record<string, string> = {}
  const inputs: Record<string, Values> = {}
  const outputs: Values[] = []
  nodes.forEach((node, index) => {
    const id = `N${index}`
    const into = wires.filter(({ to }) => to === index)
    const values = into.map((wire) => ({ input: wire.input, value: outputs[wire.from]![wire.output] }))
    const taken = Object.fromEntries(
      values.map(({ input }) => [
        input,
        values.find((other) => other.input === input && other.value !== undefined)?.value
      ])
    )
    outputs[index] = {}
    if (into.length > 0 && values.every(({ value }) => value === undefined)) {
      statuses[id] = 'skipped'
    } else if (node.isDisabled) {
      statuses[id] = taken.in === undefined ? 'skipped' : 'succeeded'
      outputs[index] = { left: taken.in }
    } else {
      inputs[id] = taken
      statuses[id] = node.outputs === null ? 'failed' : 'succeeded'
      outputs[index] = node.outputs ?? { error: { code: 'no', message: 'No.', node: id } }
    }
  })
  return { statuses, inputs }
}

/** A process that dies makes one attempt more. */
function withoutAttempts(value: unknown): unknown {
  const isError = typeof value === 'object' && value !== null && 'attempts' in value
  if (!isError) return value
  const { attempts: _, ...rest } = value as { attempts: unknown }
  return rest
}

function inputsOf(stage: Stage): Record<string, Values> {
  const each = stage.calls.map(({ node, inputs }) => {
    const values = Object.entries(inputs).map(([name, value]) => [name, withoutAttempts(value)])
    return [node.id, Object.fromEntries(values)]
  })
  return Object.fromEntries(each)
}

describe('every run of every graph with any wires', () => {
  it('does what the rules say, runs no step twice and succeeds', async () => {
    await fc.assert(
      fc.asyncProperty(randomFlow, async (flow) => {
        const stage = await new Stage(planOf(flow), { steps: behavioursOf(flow) }).play()
        const { statuses, inputs } = naively(flow)
        assert.deepEqual(stage.statuses, statuses)
        assert.deepEqual(inputsOf(stage), inputs)
        assert.equal(new Set(stage.invoked).size, stage.invoked.length)
        assert.deepEqual([stage.ended.status, stage.ended.error], ['succeeded', null])
      }),
      { numRuns: 300 }
    )
  })

  it('does the same when the process dies on the way, again and again', async () => {
    const deaths = fc.array(fc.nat(12), { maxLength: 3 })
    await fc.assert(
      fc.asyncProperty(randomFlow, deaths, async (flow, deaths) => {
        const [of, steps] = [planOf(flow), behavioursOf(flow)]
        let journal: readonly JournalEntry[] = []
        const settled = () => journal.flatMap((entry) => entry.settled ?? []).map(({ node }) => node)
        for (const effects of deaths) {
          let left = effects
          const done = settled()
          const life = await new Stage(of, { steps, journal, lives: () => left-- > 0 }).play()
          for (const id of life.invoked) assert.ok(!done.includes(id), `${id} was done and ran again`)
          if (life.ending !== undefined) return
          journal = life.journal
        }
        const last = await new Stage(of, { steps, journal }).play()
        const { statuses, inputs } = naively(flow)
        assert.deepEqual(last.statuses, statuses)
        for (const [id, values] of Object.entries(inputsOf(last))) assert.deepEqual(values, inputs[id])
        assert.equal(last.ended.status, 'succeeded')
      }),
      { numRuns: 200 }
    )
  })
})
