import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { AnyComponent } from '../flows/component/component.ts'
import type { PlannedInput, PlannedNode } from './plan-node.ts'
import { markStreamed, streamedAnswers } from './streamed-inputs.ts'

const HEAD = { status: 200, headers: {} }
const SPEAKS: Partial<AnyComponent> = { emits: 'text' }
const ANSWERS: Partial<AnyComponent> = { streamsAnswer: () => ({ input: 'data', ...HEAD }) }

const wire = (from: number, fromPort = 'text', isFurther = false): PlannedInput => ({
  port: 'data',
  isFurther,
  from,
  fromPort
})

function nodesOf(
  ...parts: [component: Partial<AnyComponent>, inputs?: PlannedInput[]][]
): readonly PlannedNode[] {
  return markStreamed(
    parts.map(
      ([component, inputs = []], index) =>
        ({ id: `n${index}`, index, component, inputs }) as unknown as PlannedNode
    )
  )
}

const answersOf = (...parts: Parameters<typeof nodesOf>) => [...streamedAnswers(nodesOf(...parts))]

describe('an input that is streamed', () => {
  it('has one wire, from the output that its source tells', () => {
    const isStreamed = (...inputs: PlannedInput[]) =>
      nodesOf([SPEAKS], [{}], [ANSWERS, inputs])[2]!.streamedInputs?.has('data') === true
    assert.equal(isStreamed(wire(0)), true)
    assert.equal(isStreamed(wire(0, 'usage')), false)
    assert.equal(isStreamed(wire(1)), false)
    assert.equal(isStreamed(wire(0), wire(1, 'data', true)), false)
    assert.equal(isStreamed(wire(1, 'data'), wire(0, 'text', true)), false)
  })

  it('is an answer, by the node that tells it, where its component says how that begins', () => {
    assert.deepEqual(answersOf([SPEAKS], [ANSWERS, [wire(0)]]), [['n0', HEAD]])
    assert.deepEqual(answersOf([SPEAKS], [{}, [wire(0)]]), [])
    assert.deepEqual(answersOf([SPEAKS], [{ streamsAnswer: () => undefined }, [wire(0)]]), [])
    const two: Parameters<typeof nodesOf> = [[SPEAKS], [SPEAKS], [ANSWERS, [wire(0)]], [ANSWERS, [wire(1)]]]
    assert.deepEqual(answersOf(...two), [
      ['n0', HEAD],
      ['n1', HEAD]
    ])
    assert.deepEqual(answersOf([SPEAKS], [ANSWERS, [wire(0)]], [ANSWERS, [wire(0)]]), [])
  })
})
