import assert from 'node:assert/strict'
import { it } from 'node:test'
import { systemClock } from '../../clock.ts'
import type { FlowDocument } from '../../flows/document/flow-document.ts'
import { Expectations } from './expectations.ts'

const FINDING = { verdict: 'same', node: null, was: null, is: null, error: null } as const
const RECORDING = { items: [], input: '', outcome: { status: 'succeeded', steps: '[]' } }

const factsOf = (flowId: string) => ({
  ...{ flowId, id: '1', name: '', runId: '', author: '', createdAt: 0, of: 'then' }
})

/** Each rehearsal goes on until it is let go. */
function checking() {
  const begun: string[] = []
  const ends: (() => void)[] = []
  const expectations = new Expectations({
    store: {
      ofFlow: async (flowId: string) => [factsOf(flowId)],
      read: async (flowId: string) => ({
        ...factsOf(flowId),
        recording: JSON.stringify({ recording: RECORDING, now: null })
      })
    } as never,
    runs: {
      rehearse: async ({ run }: { run: { flowId: string } }, abort: { readonly signal: AbortSignal }) => {
        begun.push(run.flowId)
        await new Promise<void>((resolve) => {
          ends.push(resolve)
          abort.signal.addEventListener('abort', () => resolve())
        })
        return { finding: FINDING }
      }
    } as never,
    planFlow: () => ({}) as never,
    clock: systemClock()
  })
  const check = (id: string, left?: AbortSignal) =>
    expectations.check({ id, version: 1, document: { context: '/' } as FlowDocument }, left)
  const next = async () => {
    while (ends.length === 0) await new Promise(setImmediate)
    ends.shift()!()
  }
  return { begun, check, next }
}

it('flows take turns, and whoever has left is not waited for', async () => {
  const { begun, check, next } = checking()
  const [playing, waiting] = [new AbortController(), new AbortController()]
  const first = check('a', playing.signal)
  const second = check('a', waiting.signal)
  const others = [check('a'), check('a')]
  const other = check('b')
  while (begun.length === 0) await new Promise(setImmediate)
  waiting.abort()
  assert.deepEqual(await second, [])
  playing.abort()
  assert.deepEqual(
    (await first).map(({ verdict }) => verdict),
    ['unknown']
  )
  while (begun.length < 2) await new Promise(setImmediate)
  for (let at = 0; at < 4; at++) await next()
  for (const met of await Promise.all([...others, other])) assert.equal(met[0]!.verdict, 'same')
  assert.deepEqual(begun, ['a', 'a', 'b', 'a'])
})
