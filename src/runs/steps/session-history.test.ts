import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { MessageStore, StoredMessage } from '../../store/message-store.ts'
import type { SessionStore, SessionSummary } from '../../store/sessions.ts'
import { sessionHistory } from './session-history.ts'

/** Each turn a question of so many characters and its answer. */
function remembering(count: number, length = 4) {
  const messages = Array.from({ length: count * 2 }, (_, no): StoredMessage => {
    const turn = Math.floor(no / 2) + 1
    const [sender, said] = no % 2 === 0 ? ['User', 'q'] : ['Machine', 'a']
    const text = `${said}${turn}`.padEnd(length, '.')
    return {
      ...{ id: `${no}`, runId: `run-${turn}`, at: { no, place: 0 }, session: 's' },
      sender,
      text,
      createdAt: no
    }
  })
  let summary: SessionSummary | null = null
  const list: MessageStore['list'] = async ({ limit, before }) => {
    const all = messages.filter(({ at }) => before === undefined || at.no < before.no)
    const page = all.slice(-limit)
    return { messages: page, next: page.length < all.length ? page[0]!.at : null }
  }
  const notes: SessionStore['notes'] = async () => [{ session: 's', title: null, summary }]
  const summarize: SessionStore['summarize'] = async (_flow, _session, made, after) => {
    const isFirst = (summary?.upTo.no ?? -1) === (after?.no ?? -1)
    if (isFirst) summary = made
    return isFirst
  }
  const history = sessionHistory({
    messages: { list },
    sessions: { notes, summarize },
    readPiece: async () => undefined
  })
  const run = { id: 'run-now', flowId: 'f', session: 's' }
  return {
    ask: (asked: Parameters<typeof history>[1]) => history(run, asked),
    messages,
    summary: () => summary
  }
}

const turnsOf = (messages: readonly { text: string }[]) =>
  messages.filter(({ text }) => text.startsWith('q')).map(({ text }) => Number.parseInt(text.slice(1), 10))

describe('what was said before', () => {
  it('is the last so many turns, over as many pages as that takes', async () => {
    const { ask } = remembering(150)
    const { messages } = await ask({ turns: 120 })
    assert.deepEqual(
      turnsOf(messages),
      Array.from({ length: 120 }, (_, at) => at + 31)
    )
    assert.equal(messages.at(-1)!.text, 'a150')
    assert.deepEqual(turnsOf((await remembering(2).ask({ turns: 9 })).messages), [1, 2])
  })

  it('is as many of them, whole, as have so many tokens', async () => {
    // A message of 40 characters counts as 14 tokens, a turn as 28.
    const { ask } = remembering(9, 40)
    assert.deepEqual(turnsOf((await ask({ turns: 9, tokens: 28 * 3 })).messages), [7, 8, 9])
    assert.deepEqual(turnsOf((await ask({ turns: 9, tokens: 28 * 3 - 1 })).messages), [8, 9])
    assert.deepEqual(turnsOf((await ask({ turns: 2, tokens: 28 * 3 })).messages), [8, 9])
    assert.deepEqual(turnsOf((await ask({ turns: 9, tokens: 27 })).messages), [])
  })

  it('is summed up before that, now and then, and no turn is lost or told twice', async () => {
    const { ask, summary } = remembering(7)
    const first = await ask({ turns: 4, isSummedUp: true })
    assert.deepEqual(
      [turnsOf(first.messages), turnsOf(first.toSumUp!.messages)],
      [
        [4, 5, 6, 7],
        [1, 2, 3]
      ]
    )
    await first.toSumUp!.keep('One to three.')
    assert.deepEqual(summary(), { text: 'One to three.', upTo: { no: 5, place: 0 }, runId: 'run-3' })
    const next = await ask({ turns: 4, isSummedUp: true })
    assert.deepEqual(
      [next.summary, turnsOf(next.messages), next.toSumUp],
      ['One to three.', [4, 5, 6, 7], undefined]
    )
  })

  it('is told as it was said while too little has come for another summary', async () => {
    const { ask, messages } = remembering(6)
    const { toSumUp } = await ask({ turns: 4, isSummedUp: true })
    await toSumUp!.keep('One and two.')
    const more = messages.slice(0, 2).map((message, at) => {
      const no = messages.length + at
      return { ...message, runId: 'run-7', at: { no, place: 0 }, text: message.text.replace('1', '7') }
    })
    messages.push(...more)
    const told = await ask({ turns: 4, isSummedUp: true })
    assert.deepEqual(
      [told.summary, turnsOf(told.messages), told.toSumUp],
      ['One and two.', [3, 4, 5, 6, 7], undefined]
    )
  })

  it('has the summary that came first where two runs make one', async () => {
    const { ask, summary } = remembering(7)
    const [one, other] = await Promise.all([1, 2].map(() => ask({ turns: 4, isSummedUp: true })))
    await one!.toSumUp!.keep('First.')
    await other!.toSumUp!.keep('Second.')
    assert.equal(summary()?.text, 'First.')
  })
})
