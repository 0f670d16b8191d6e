import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { manualClock } from '../clock.test-kit.ts'
import { StepWait, type WaitRequest } from '../flows/step/step-wait.ts'
import type { WaitNews } from './effects.ts'
import { asReadBack, type Behaviour, deferred, Stage, turnOfTheLoop } from './execution.test-kit.ts'
import type { JournalEntry } from './journal.ts'

const HOUR = 3_600_000

/** Waits, and says then by what that was ended, and with what. */
function waits(request: (now: number) => Partial<WaitRequest>): (stage: () => Stage) => Behaviour {
  return (stage) => (call) => {
    const { woken } = call
    if (woken !== undefined) return { out: `${woken.by}:${JSON.stringify(woken.value)}` }
    return new StepWait({ kind: 'call', until: null, ...request(stage().clock.now()) })
  }
}

const forAnHour = waits((now) => ({ kind: 'time', until: now + HOUR }))
const forACall = waits((now) => ({ kind: 'call', until: now + HOUR }))

const childrenOf: Behaviour = ({ woken }) =>
  woken === undefined ? new StepWait({ kind: 'children', until: null }) : { out: woken.by }

function staged(
  drawing: string,
  wait: ReturnType<typeof waits>,
  options: ConstructorParameters<typeof Stage>[1] = {}
): Stage {
  const stage: Stage = new Stage(drawing, { ...options, steps: { W: wait(() => stage), ...options.steps } })
  return stage
}

/** The same run, taken up from what its parking made durable and what was written by others since. */
function takenUp(
  { journal, parked, clock }: Stage,
  drawing: string,
  wait: ReturnType<typeof waits>,
  since: { readonly entries?: readonly JournalEntry[]; readonly closeWait?: (node: string) => WaitNews } = {}
): Stage {
  const { entries = [], ...options } = since
  const known = [...journal, asReadBack(parked.entry), ...entries]
  return staged(drawing, wait, { ...options, journal: known, clock })
}

function called(value: string, at: number): JournalEntry {
  return { at, woken: [{ node: 'W', by: 'call', at, value }] }
}

describe('R13: a step that waits', () => {
  it('parks the run until its time', async () => {
    const stage = await staged('W -> B', forAnHour).play()
    assert.equal(stage.parked.dueAt, stage.clock.now() + HOUR)
    assert.deepEqual(stage.parked.awaits, ['W'])
    assert.equal(stage.parked.entry.isParked, true)
  })

  it('is resumed when its time has come, once, as the same attempt that took all that time', async () => {
    const first = await staged('W -> B', forAnHour).play()
    first.clock.advance(HOUR)
    const second = await takenUp(first, 'W -> B', forAnHour).play()
    assert.equal(second.ended.status, 'succeeded')
    assert.equal(second.record('W').outputs?.out, 'time:null')
    assert.equal(second.record('W').attempts, 1)
    assert.equal(second.record('W').durationMs, HOUR)
    assert.equal(second.record('W').startedAt, first.clock.now() - HOUR)
  })

  it('took all the time of its waits where it waits anew', async () => {
    const thrice =
      (stage: () => Stage): Behaviour =>
      () => {
        const { now } = stage().clock
        if (now() >= begin + 3 * HOUR) return { out: 'over' }
        return new StepWait({ kind: 'time', until: now() + HOUR })
      }
    let begin = Number.POSITIVE_INFINITY
    let stage = await staged('W -> B', thrice).play()
    begin = stage.clock.now()
    for (let hour = 1; hour <= 3; hour++) {
      stage.clock.advance(HOUR)
      stage = await takenUp(stage, 'W -> B', thrice).play()
    }
    assert.equal(stage.record('W').outputs?.out, 'over')
    assert.deepEqual([stage.record('W').startedAt, stage.record('W').durationMs], [begin, 3 * HOUR])
  })

  it('goes on waiting when the run is taken up before its time', async () => {
    const first = await staged('W -> B', forAnHour).play()
    first.clock.advance(HOUR - 1)
    const early = await takenUp(first, 'W -> B', forAnHour).play()
    assert.equal(early.parked.dueAt, first.parked.dueAt)
  })

  it('is parked without a time where time does not end it', async () => {
    const stage = await staged(
      'W',
      waits(() => ({ kind: 'answer' }))
    ).play()
    assert.equal(stage.parked.dueAt, null)
  })

  it('is resumed with what came', async () => {
    const first = await staged('W -> B', forACall).play()
    const second = await takenUp(first, 'W -> B', forACall, { entries: [called('hello', 5)] }).play()
    assert.equal(second.record('W').outputs?.out, 'call:"hello"')
  })

  it('is resumed with a call that came before the wait', async () => {
    const journal = [called('early', 5)]
    const first = await staged('W -> B', forACall, { journal }).play()
    assert.equal(first.ended.status, 'succeeded')
    assert.equal(first.record('W').outputs?.out, 'call:"early"')
  })

  it('asks whether a call came when its time has come, and takes it', async () => {
    const first = await staged('W -> B', forACall).play()
    first.clock.advance(HOUR)
    const woken = { node: 'W', by: 'call', at: 1, value: 'just in time' } as const
    const second = takenUp(first, 'W -> B', forACall, { closeWait: () => ({ state: 'woken', woken }) })
    await second.play()
    assert.equal(second.record('W').outputs?.out, 'call:"just in time"')
  })

  it('is over by time where no call came', async () => {
    const first = await staged('W -> B', forACall).play()
    first.clock.advance(HOUR)
    const second = await takenUp(first, 'W -> B', forACall).play()
    assert.equal(second.record('W').outputs?.out, 'time:null')
  })

  //  W ─ C       W waits, the other branch goes on
  //  B! ─ D
  it('lets other branches go on, and is over on time while they do', async () => {
    const long = deferred()
    const forASecond = waits((now) => ({ kind: 'time', until: now + 1_000 }))
    const stage = await staged('W -> C; B! -> D', forASecond, { steps: { B: () => long.promise } }).play()
    assert.equal(stage.journal[0]?.waiting?.[0]?.node, 'W')
    stage.clock.advance(1_000)
    await turnOfTheLoop()
    assert.deepEqual(stage.invoked, ['W', 'B', 'W', 'C'])
    long.resolve({ out: 1 })
    await turnOfTheLoop()
    assert.equal(stage.ended.status, 'succeeded')
  })

  it('is resumed with a call that comes while another branch is busy', async () => {
    const long = deferred()
    const stage = await staged('W -> C; B! -> D', forACall, { steps: { B: () => long.promise } }).play()
    stage.execution.woken('W', { by: 'call', at: 1, value: 'now' })
    stage.execution.woken('W', { by: 'call', at: 2, value: 'twice' })
    await turnOfTheLoop()
    assert.deepEqual(stage.invoked, ['W', 'B', 'W', 'C'])
    stage.execution.woken('W', { by: 'call', at: 3, value: 'late' })
    stage.execution.woken('none', { by: 'call', at: 3, value: 'nobody' })
    long.resolve({ out: 1 })
    await turnOfTheLoop()
    assert.equal(stage.record('W').outputs?.out, 'call:"now"')
  })

  it('is resumed once where a call and its time come together', async () => {
    const first = await staged('W -> B', forACall).play()
    first.clock.advance(HOUR)
    const woken = { node: 'W', by: 'call', at: 1, value: 'now' } as const
    const second: Stage = takenUp(first, 'W -> B', forACall, {
      closeWait: () => {
        second.execution.woken('W', woken)
        return { state: 'woken', woken }
      }
    })
    await second.play()
    assert.equal(second.ended.status, 'succeeded')
    assert.deepEqual(second.invoked, ['W', 'B'])
  })

  it('goes on when its children have ended, also while another branch is busy', async () => {
    const long = deferred()
    let state: 'open' | 'over' = 'open'
    const forChildren = waits(() => ({ kind: 'children' }))
    const options = { steps: { B: () => long.promise }, closeWait: () => ({ state }) }
    const stage = await staged('W -> C; B! -> D', forChildren, options).play()
    stage.execution.childrenEnded()
    await turnOfTheLoop()
    assert.deepEqual(stage.invoked, ['W', 'B'], 'one has ended, and others have not')
    state = 'over'
    stage.execution.childrenEnded()
    await turnOfTheLoop()
    assert.deepEqual(stage.invoked, ['W', 'B', 'W', 'C'])
  })

  it('does not go on before the run is let go on, whatever it is told meanwhile', async () => {
    const steps = { V: childrenOf }
    const open = { steps, closeWait: () => ({ state: 'open' }) as const }
    const first = await staged('W -> B; V -> C', forACall, open).play()
    const journal = [...first.journal, asReadBack(first.parked.entry)]
    const second = staged('W -> B; V -> C', forACall, { steps, journal, clock: first.clock })
    second.execution.childrenEnded()
    second.execution.woken('W', { by: 'call', at: 6, value: 'now' })
    await turnOfTheLoop()
    assert.deepEqual([second.invoked, second.ending], [[], undefined])
    await second.play()
    const outputs = ['W', 'V'].map((node) => second.record(node).outputs?.out)
    assert.deepEqual([second.ended.status, ...outputs], ['succeeded', 'call:"now"', 'children'])
  })

  it('keeps what it said before it waited, in the order in which it said it', async () => {
    const message = (text: string) => ({ id: text, text, sender: 'Machine', session: 's', createdAt: 1 })
    const says: Behaviour = ({ woken, messages }) => {
      messages.push(message(woken === undefined ? 'Waiting' : `Got ${woken.value}`))
      return woken?.value === 'second' ? { out: 1 } : new StepWait({ kind: 'call', until: null })
    }
    const first = await new Stage('W', { steps: { W: says } }).play()
    const second = takenUp(first, 'W', () => says, { entries: [called('first', 5)] })
    await second.play()
    const third = takenUp(second, 'W', () => says, { entries: [called('second', 6)] })
    await third.play()
    assert.deepEqual(
      third.record('W').messages?.map(({ text }) => text),
      ['Waiting', 'Got first', 'Got second']
    )
  })

  it('is over by the clock that was put forward while other branches go on, and not while it is put back', async () => {
    const clock = manualClock()
    const { now } = clock
    const jump = { ms: 0 }
    clock.now = () => now() + jump.ms
    const steps = { B: () => deferred().promise }
    const forAMoment = waits((at) => ({ kind: 'time', until: at + 40_000 }))
    const stage = await staged('W -> C; B!', forAMoment, { clock, steps }).play()
    jump.ms = -20_000
    clock.advance(50_000)
    await turnOfTheLoop()
    assert.deepEqual(stage.invoked, ['W', 'B'])
    jump.ms = 24 * HOUR
    clock.advance(30_000)
    await turnOfTheLoop()
    assert.deepEqual(stage.invoked, ['W', 'B', 'W', 'C'])
    stage.execution.cancel()
    assert.equal(clock.timers, 0)
  })

  it('waits for its children until the store says that they have ended', async () => {
    const forChildren = waits(() => ({ kind: 'children' }))
    const first = await staged('W -> B', forChildren, { closeWait: () => ({ state: 'open' }) }).play()
    assert.equal(first.parked.dueAt, null)
    const second = await takenUp(first, 'W -> B', forChildren).play()
    assert.equal(second.record('W').outputs?.out, 'children:null')
  })

  it('may wait again, and what woke it before does not wake it then', async () => {
    const twice: Behaviour = ({ woken }) =>
      woken?.value === 'second' ? { out: 'done' } : new StepWait({ kind: 'call', until: null })
    const first = await new Stage('W', { steps: { W: twice } }).play()
    const journal = [...first.journal, asReadBack(first.parked.entry), called('first', 5)]
    const second = await new Stage('W', { steps: { W: twice }, journal }).play()
    assert.equal(second.parked.dueAt, null)
    const later = [...second.journal, asReadBack(second.parked.entry)]
    const third = await new Stage('W', { steps: { W: twice }, journal: later }).play()
    assert.equal(third.parked.dueAt, null)
    const fourth = await new Stage('W', {
      steps: { W: twice },
      journal: [...later, called('second', 6)]
    }).play()
    assert.equal(fourth.ended.status, 'succeeded')
  })

  it('is resumed, and does not wait anew, when the process dies after its wait was over', async () => {
    const wait: Behaviour = (call) =>
      call.woken === undefined ? new StepWait({ kind: 'time', until: 0 }) : deferred().promise
    const first = await new Stage('W!', { steps: { W: wait } }).play()
    assert.deepEqual(
      first.calls.map(({ woken }) => woken?.by),
      [undefined, 'time']
    )
    const second = await new Stage('W!', {
      steps: { W: ({ woken }) => Promise.resolve({ out: woken?.by }) },
      journal: first.journal
    }).play()
    assert.equal(second.record('W').outputs?.out, 'time')
  })

  it('is cancelled with its run', async () => {
    const stage = await staged('W -> C; B!', forAnHour, { steps: { B: () => deferred().promise } }).play()
    stage.execution.cancel()
    assert.deepEqual(stage.statuses, { W: 'cancelled', B: 'cancelled', C: 'not reached' })
  })

  it('is cancelled when another step fails the run', async () => {
    const last = deferred()
    const stage = await staged('W -> C; B!', forAnHour, { steps: { B: () => last.promise } }).play()
    last.reject(new Error('no'))
    await turnOfTheLoop()
    assert.equal(stage.ended.status, 'failed')
    assert.deepEqual(stage.statuses, { W: 'cancelled', B: 'failed', C: 'not reached' })
  })

  it('is cancelled when the process died after another step had failed and before the run could end', async () => {
    const last = deferred()
    const steps = { B: () => last.promise, D: () => deferred().promise }
    const first = await staged('W -> C; B!; D!', forAnHour, { steps }).play()
    last.reject(new Error('no'))
    await turnOfTheLoop()
    const second = await staged('W -> C; B!; D!', forAnHour, { journal: first.journal }).play()
    assert.equal(second.ended.status, 'failed')
    assert.deepEqual(second.statuses, { W: 'cancelled', B: 'failed', C: 'not reached', D: 'cancelled' })
  })
})
