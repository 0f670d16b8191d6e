import assert from 'node:assert/strict'
import { describe, it, test } from 'node:test'
import { judgeLedger } from '../bench/drill/judge-ledger.ts'
import { judgeTicks } from '../bench/drill/judge-ticks.ts'
import { faultsOfRetry } from '../bench/drill/recorded-steps.ts'
import { runDrill } from '../bench/drill/run-drill.ts'
import { openWorkspace } from '../bench/workspace.ts'

/** The crash drill in short form; `npm run drill` is the long one. */
describe('a service that is killed', () => {
  it('loses nothing that it accepted and repeats only what the kill cut off', async (t) => {
    const workspace = openWorkspace()
    t.after(() => workspace.close())
    const report = await runDrill({
      workspace,
      // Counted in accepted requests, so a slow machine is killed in the same place as a fast one.
      kills: [{ at: 'accepted', count: 100 }, { at: 'starting', share: 1.05 }, { at: 'step' }],
      seed: 20_260_801,
      seconds: 60,
      perLife: 110
    })
    assert.deepEqual(report.violations, [])
    assert.equal(report.lost, 0)
    assert.equal(report.completed, report.accepted + report.unanswered)
    assert.ok(report.accepted >= 100, `only ${report.accepted} requests were accepted`)
    assert.ok(report.children > 0, 'no program was run')
    assert.ok(report.ticks > 0, 'the clock started nothing')
    assert.ok(report.failed > 0, 'nothing failed')
    assert.equal(report.alerts, report.failed)
    assert.ok(report.cutOff > 0, 'the kill in the middle of a step cut off none')
  })
})

describe('the judge of the ledger', () => {
  const ways = [['a', 'b'], ['c']]
  const judge = (lines: string[], answered = new Map<string, number>()) =>
    judgeLedger({
      text: lines.map((line) => line.replace('#', 'key')).join('\n'),
      ways,
      answered,
      parents: new Map([['s', 'q']]),
      recorded: new Map([['t', new Set(['a'])]])
    })

  it('allows the one step that a kill cut off to begin again', () => {
    const verdict = judge([
      'r a 1 # begin',
      'r a 1 # end',
      'r b 1 # begin',
      'kill',
      'r b 2 # begin',
      'r b 2 # end'
    ])
    assert.deepEqual(verdict.illegal, [])
    assert.deepEqual([verdict.cutOff, verdict.repeated, verdict.repeatedAfterEffect], [1, 1, 0])
    assert.deepEqual([...verdict.ended.get('r')!], ['a', 'b'])
  })

  it('allows a step whose effect was done and not yet checkpointed to begin again', () => {
    const verdict = judge(['r a 1 # begin', 'r a 1 # end', 'kill', 'r a 2 # begin', 'r a 2 # end'])
    assert.deepEqual(verdict.illegal, [])
    assert.deepEqual([verdict.cutOff, verdict.repeated, verdict.repeatedAfterEffect], [0, 1, 1])
  })

  it('tells processes apart: only the steps of the one that died may begin again', () => {
    const lines = [
      'r a 1 # begin one',
      's a 1 # begin two',
      'kill one',
      'r a 2 # begin two',
      's a 1 # end two'
    ]
    const verdict = judge([...lines, 'r a 2 # end two'])
    assert.deepEqual(verdict.illegal, [])
    assert.deepEqual([verdict.cutOff, verdict.repeated], [1, 1])
    assert.match(judge([...lines, 's a 2 # begin one']).illegal[0]!, /^J1/)
    assert.match(judge([...lines, 'r a 2 # end one']).illegal[0]!, /^ended without/)
  })

  it('allows a retry to begin a step that had ended and that no record tells of', () => {
    const lines = ['r a 1 # begin', 'r a 1 # end', 'kill', 'retry', 'r a 2 # begin', 'r a 2 # end']
    assert.deepEqual(judge(lines).illegal, [])
  })

  const illegal: [what: RegExp, lines: string[], answered?: Map<string, number>][] = [
    [/^J1/, ['r a 1 # begin', 'r a 1 # end', 'r a 2 # begin']],
    [/^J2/, ['r a 1 # begin', 'r a 1 # end', 'r b 1 # begin', 'kill', 'r a 2 # begin']],
    [/^J3/, ['r a 1 # begin', 'r b 1 # begin']],
    [/^J4/, ['r a 1 # begin', 'kill', 'r a 1 # begin']],
    [/^J4/, ['r a 1 one begin', 'kill', 'r a 2 other begin']],
    [/^J5/, ['r a 1 # begin', 'r a 1 # end', 'kill', 'r a 2 # begin'], new Map([['r', 1]])],
    [/^J7/, ['t a 1 # begin', 't a 1 # end', 'kill', 'retry', 't a 2 # begin']],
    [/^J6/, ['s a 1 # begin', 'q c 1 # begin', 'kill', 's a 2 # begin']],
    [/^ended without/, ['r a 1 # begin', 'kill', 'r a 1 # end']]
  ]
  for (const [what, lines, answered] of illegal) {
    it(`finds ${what.source.slice(1)}: ${lines.join(', ')}`, () => {
      const found = judge(lines, answered).illegal
      assert.equal(found.length, 1, found.join('\n'))
      assert.match(found[0]!, what)
    })
  }
})

test('a step that had succeeded before a retry shows as it did', () => {
  const step = { node: 'a', status: 'succeeded', attempts: 1, started_at: 'noon', duration_ms: 5, outputs: 1 }
  const recorded = (...steps: (typeof step)[]) =>
    new Map([['r', new Map(steps.map((one) => [one.node, one]))]])
  assert.deepEqual(faultsOfRetry(recorded(step), recorded(step, { ...step, node: 'b' })), [])
  const changed = [{ attempts: 2 }, { started_at: 'later' }, { outputs: 2 }].map((change) =>
    recorded({ ...step, ...change })
  )
  for (const after of [...changed, recorded()])
    assert.match(faultsOfRetry(recorded(step), after).join(), /^J7: step a of run r/)
})

describe('the judge of the clock', () => {
  const judge = (...ticks: [second: number, late?: 'late'][]) =>
    judgeTicks(
      ticks.map(([second, late], at) => ({
        id: `run-${at}`,
        scheduledAt: second * 1000,
        isLate: late === 'late'
      }))
    )

  it('allows times to be missed whose last one runs late', () => {
    assert.deepEqual(judge([1], [2], [5, 'late'], [6]), { late: 1, doubled: 0, due: 0, ran: 0, illegal: [] })
  })

  it('finds a time with two runs, and times that were missed without one that is late', () => {
    assert.deepEqual(judge([2], [1], [2, 'late']), {
      late: 1,
      doubled: 1,
      due: 0,
      ran: 0,
      illegal: ['runs run-0 and run-2 are of the same time, 1970-01-01T00:00:02.000Z']
    })
    assert.match(judge([1], [3]).illegal.join(), /were missed/)
  })

  it('finds that few of the times have a run that came while somebody watched', () => {
    const seconds = (...of: number[]) =>
      of.map((at) => ({ id: `run-${at}`, scheduledAt: at * 1000, isLate: true }))
    const watched = [
      { from: 1_500, to: 12_500 },
      { from: 30_000, to: Number.POSITIVE_INFINITY }
    ]
    const most = judgeTicks(seconds(3, 4, 5, 6, 8, 9, 10, 11, 31), watched)
    assert.deepEqual([most.due, most.ran, most.illegal], [10, 9, []])
    const few = judgeTicks(seconds(3, 8, 31), watched)
    assert.deepEqual(few.illegal, ['of 10 times that came while somebody watched, 3 have a run'])
  })
})
