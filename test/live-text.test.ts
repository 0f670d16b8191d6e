import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { speakFlow } from './support/documents.ts'
import type { SentEvent } from './support/event-reader.ts'
import { startOutside } from './support/outside.ts'
import { startService } from './support/service.ts'

const isDelta = ({ event }: SentEvent) => event === 'message.delta'
const isEnd = ({ event }: SentEvent) => event === 'run.ended'

describe('text that a step puts out while it works', () => {
  it('is told as it comes, without an id, and is whole in the message', async (t) => {
    const service = await startService(t, { plugins: ['speak.ts'] })
    const outside = await startOutside(t)
    const flow = await service.createFlow(speakFlow(outside.url()))
    const [events, all] = [await service.events(flow.id), await service.allEvents()]
    const id = await service.start(flow.slug)
    const first = await outside.next()
    first.answer({ text: 'Good ' })
    const before = await events.until(isDelta)
    assert.deepEqual(before.at(-1), {
      id: '',
      event: 'message.delta',
      data: { flow_id: flow.id, run_id: id, node: 'speak-1', at: 0, text: 'Good ' }
    })
    ;(await outside.next()).answer({ text: 'morning' })
    ;(await outside.next()).answer({ text: ', Ann \u{1f33b}' })
    ;(await outside.next()).answer({ isLast: true })
    const after = await events.until(isEnd)
    const deltas = after.filter(isDelta)
    assert.equal(`Good ${deltas.map(({ data }) => data.text).join('')}`, 'Good morning, Ann \u{1f33b}')
    const names = after.map(({ event }) => event)
    assert.ok(names.lastIndexOf('message.delta') < names.indexOf('step.settled'), names.join(' '))
    assert.equal(after.find(({ event }) => event === 'message')?.data.text, 'Good morning, Ann \u{1f33b}')
    assert.ok((await all.until(isEnd)).some(isDelta))
    const again = await service.events(flow.id, { lastEventId: '0.0' })
    assert.equal((await again.until(isEnd)).some(isDelta), false, 'it is not stored')
  })

  it('begins anew after an attempt that failed', async (t) => {
    const service = await startService(t, { plugins: ['speak.ts'] })
    const outside = await startOutside(t)
    const retry = { attempts: 2, backoff_ms: 1 }
    const flow = await service.createFlow(speakFlow(outside.url(), { speak: { retry } }))
    const events = await service.events(flow.id)
    await service.start(flow.slug)
    ;(await outside.next()).answer({ text: 'Half' })
    ;(await outside.next()).answer({}, 500)
    ;(await outside.next()).answer({ text: 'Wh' })
    ;(await outside.next()).answer({ text: 'Whole', restart: true })
    ;(await outside.next()).answer({ isLast: true })
    const told = await events.until(isEnd)
    assert.deepEqual(
      told.filter(isDelta).map(({ data }) => [data.at, data.text]),
      [
        [0, 'Half'],
        [0, 'Wh'],
        [0, 'Whole']
      ]
    )
    assert.equal(told.find(({ event }) => event === 'message')?.data.text, 'Whole')
  })

  it('is heard only by who may see the flow', async (t) => {
    const service = await startService(t, { plugins: ['speak.ts'] })
    const outside = await startOutside(t)
    const flow = await service.createFlow(speakFlow(outside.url()))
    const other = await service.createFlow({ ...speakFlow(outside.url()), name: 'Other' })
    const { key } = await service.createKey({ rights: ['read'], flow: other.id })
    const [mine, others] = [await service.allEvents(), await service.allEvents({ key })]
    const say = async (slug: string) => {
      await service.start(slug)
      ;(await outside.next()).answer({ text: `of ${slug}` })
      ;(await outside.next()).answer({ isLast: true })
      return mine.until(isEnd)
    }
    assert.ok((await say(flow.slug)).some(isDelta))
    await say(other.slug)
    const heard = (await others.until(isEnd)).filter(isDelta)
    assert.deepEqual(
      heard.map(({ data }) => data.text),
      [`of ${other.slug}`]
    )
  })
})
