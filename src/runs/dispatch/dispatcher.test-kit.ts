import assert from 'node:assert/strict'
import { setImmediate as turnOfTheLoop } from 'node:timers/promises'
import type { ManualClock } from '../../clock.test-kit.ts'
import { Dispatcher, type DispatcherDeps } from './dispatcher.ts'

export function setUp(
  clock: ManualClock,
  deps: Partial<DispatcherDeps> & Pick<DispatcherDeps, 'store'>
): Dispatcher {
  return new Dispatcher({
    clock,
    deaths: 0,
    isCrowded: () => false,
    places: { computing: 1, underWay: 100 },
    execute: () => assert.fail('nothing is to be executed'),
    cancelUnbegun: () => assert.fail('nothing is to be cancelled'),
    limitOf: () => 1,
    pressure: () => 0,
    onTakenUp: () => {},
    onError: (error) => assert.fail(String(error)),
    ...deps
  })
}

export const emptyStore: DispatcherDeps['store'] = {
  queued: async () => ({ runs: [], isLast: true }),
  flowsDue: async () => [],
  nextDue: async () => null,
  backlog: async () => new Map(),
  lastChange: async () => 0,
  hungSteps: async () => [],
  takeDue: async () => ({ runs: [], isLast: true })
}

/** Lets the dispatcher do all that it can without any run coming to its end. */
export async function settle(clock: ManualClock): Promise<void> {
  for (let turn = 0; turn < 20; turn++) {
    clock.turn()
    await turnOfTheLoop()
  }
}
