import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Act, acted, calledWith, decided, joined, type Segment } from '../life/flow-spec.ts'
import { interpret, type Surroundings } from './interpret.ts'

const ALONE: Surroundings = {
  wayOf: () => null,
  childrenOf: () => new Map(),
  outside: () => undefined,
  mayHaveGoneOn: false
}
const act = (id: string, mode: 'ok' | 'fail' = 'ok'): Segment => ({
  kind: 'act',
  id,
  mode,
  ms: 0,
  fails: 0,
  readsHistory: false
})

describe('the plain reading of a flow', () => {
  it('does one thing after the other, by the branch that the value takes', () => {
    const fork: Segment = { kind: 'if', id: 'if', yes: [act('even')], no: [act('odd')] }
    assert.deepEqual(interpret([fork], 2, ALONE).effects, ['even(2)'])
    assert.deepEqual(interpret([fork], 3, ALONE), {
      effects: ['odd(3)'],
      counts: [],
      status: 'succeeded',
      value: acted('odd', 3)
    })
  })

  it('goes on where a failure is led on', () => {
    const caught: Segment = { ...(act('a', 'fail') as Act), isCaught: true }
    const { effects, status, value } = interpret([caught, act('b')], 1, ALONE)
    assert.deepEqual([effects, status, value], [['a(1)', 'b(0)'], 'succeeded', acted('b', 0)])
  })

  it('passes by what is disabled, and what is skipped for it', () => {
    const off: Segment[] = [
      { kind: 'off', id: 'x', type: 'sim-act' },
      { kind: 'silent', id: 'y' }
    ]
    const { effects, value } = interpret([...off, act('b')], 1, ALONE)
    assert.deepEqual([effects, value], [['b(1)'], acted('b', 1)])
  })

  it('ends where something fails', () => {
    const { effects, status, value } = interpret([act('a', 'fail'), act('b')], 1, ALONE)
    assert.deepEqual([effects, status, value], [['a(1)'], 'failed', null])
  })

  it('goes past a branch that leads nowhere, and fails with it', () => {
    const nowhere: Segment[] = [act('a', 'fail'), { kind: 'stop', id: 'stop' }]
    const branch: Segment = { kind: 'if', id: 'if', yes: nowhere, no: [] }
    const read = interpret([{ kind: 'fork', id: 'fork', ways: [[], [branch]] }, act('b')], 2, ALONE)
    assert.deepEqual(read, {
      effects: ['a(2)', `b(${joined([2])})`],
      counts: [],
      status: 'failed',
      value: null
    })
    // Both ways out lead to what follows: it waits for the one that is taken.
    const ahead: Segment = { kind: 'if', id: 'if', yes: [act('a', 'fail')], no: [] }
    const waits = interpret([{ kind: 'fork', id: 'fork', ways: [[], [ahead]] }, act('b')], 2, ALONE)
    assert.deepEqual(waits.effects, ['a(2)'])
  })

  it('goes all ways of a fork, and fails where one of them does', () => {
    const fork = (mode: 'ok' | 'fail'): Segment => ({
      kind: 'fork',
      id: 'fork',
      ways: [[act('a', mode), act('b')], [act('c')]]
    })
    const { effects, value } = interpret([fork('ok')], 1, ALONE)
    assert.deepEqual(effects, ['a(1)', `b(${acted('a', 1)})`, 'c(1)'])
    assert.equal(value, joined([acted('b', acted('a', 1)), acted('c', 1)]))
    const failed = interpret([fork('fail'), act('d')], 1, ALONE)
    assert.deepEqual([failed.effects, failed.status], [['a(1)', 'c(1)'], 'failed'])
  })

  it('goes by what came from outside', () => {
    const wait: Segment = { kind: 'wait', id: 'w', seconds: 5 }
    const ask: Segment = { kind: 'approve', id: 'q', seconds: 0 }
    assert.equal(interpret([wait], 1, ALONE).value, 1)
    assert.equal(interpret([wait], 1, { ...ALONE, wayOf: () => 'call' }).value, calledWith('w'))
    assert.equal(interpret([ask], 1, { ...ALONE, wayOf: () => 'Reject' }).value, decided(1, 'Reject'))
  })

  it('fails with the first item that does, unless failures are collected', () => {
    const children = new Map([
      [0, { status: 'succeeded' as const, value: 2, given: 0 }],
      [1, { status: 'failed' as const, value: null, given: 1 }]
    ])
    const each = (failures: 'stop' | 'collect'): Segment => ({
      kind: 'each',
      id: 'e',
      count: 2,
      atOnce: 1,
      failures,
      body: []
    })
    const around = { ...ALONE, childrenOf: () => children }
    assert.equal(interpret([each('stop')], 0, around).status, 'failed')
    assert.equal(interpret([each('collect')], 0, around).value, 3)
  })
})
