import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { anthropicMessages } from '../../../test/support/model-provider/anthropic-messages.ts'
import { chatCompletions } from '../../../test/support/model-provider/chat-completions.ts'
import { googleGenerate } from '../../../test/support/model-provider/google-generate.ts'
import { openaiResponses } from '../../../test/support/model-provider/openai-responses.ts'
import type { WrittenReply } from '../../../test/support/model-provider/reply.ts'
import { threadMs } from '../../../test/support/thread-ms.ts'
import { TextEventMerger } from './merge-text-events.ts'

const REPLY: WrittenReply = {
  id: '1',
  model: 'large',
  finish: 'stop',
  usage: { input: 1, output: 2 },
  calls: []
}

/** Given in stretches of these lengths, again and again. */
function mergedOf(stream: string, lengths: readonly number[], holdsBack = false) {
  const merger = new TextEventMerger({ holdsBack })
  const bytes = Buffer.from(stream)
  const hadText: boolean[] = []
  let events = ''
  let text = ''
  for (let from = 0, turn = 0; from < bytes.length; turn++) {
    const length = lengths[turn % lengths.length]!
    const taken = merger.take(bytes.subarray(from, from + length))
    events += taken.events
    text += taken.text
    hadText.push(merger.hasText)
    from += length
  }
  return { events: events + merger.end(), text, hadText }
}

const blocksOf = (events: string) => events.split('\n\n').filter((block) => block !== '')

for (const protocol of [openaiResponses, chatCompletions, anthropicMessages, googleGenerate]) {
  describe(`joining the text of ${protocol.name}`, () => {
    const streamOf = (pieces: readonly string[]) =>
      protocol.begin(REPLY) +
      pieces.map((piece) => protocol.piece(piece, REPLY)).join('') +
      protocol.end(REPLY, pieces.join(''))

    it('gives one event for all that came together, and leaves the others as they are', () => {
      const { events } = mergedOf(streamOf(['Good ', 'mor', 'ning \u{1f33b}', '\n\n"!"']), [1e6])
      const whole = mergedOf(streamOf(['Good morning \u{1f33b}\n\n"!"']), [1e6]).events
      assert.deepEqual(
        blocksOf(events).filter((block) => !block.includes('_text.done') && !block.includes('item.done')),
        blocksOf(whole).filter((block) => !block.includes('_text.done') && !block.includes('item.done'))
      )
    })

    it('loses and changes nothing, wherever the stream is cut', () => {
      const lengths = fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 1, maxLength: 8 })
      fc.assert(
        fc.property(
          fc.array(fc.string(), { maxLength: 6 }),
          lengths,
          fc.boolean(),
          fc.boolean(),
          (pieces, cuts, isWindows, holdsBack) => {
            const stream = streamOf(pieces)
            const sent = isWindows ? stream.replaceAll('\n', '\r\n') : stream
            const { events, text } = mergedOf(sent, cuts, holdsBack)
            const joined = mergedOf(events, [1e6]).events
            assert.deepEqual(blocksOf(joined), blocksOf(mergedOf(stream, [1e6]).events))
            assert.equal(text, pieces.join(''))
          }
        )
      )
    })
  })
}

describe('a stream of events', () => {
  it('says when the first text has come', () => {
    const [begin, piece] = [anthropicMessages.begin(REPLY), anthropicMessages.piece('a', REPLY)]
    const { hadText } = mergedOf(begin + piece, [Buffer.byteLength(begin), Buffer.byteLength(piece)])
    assert.deepEqual(hadText, [false, true])
  })

  it('is passed on as it is where it is no such stream', () => {
    const page = `<html>${'x'.repeat(3_000_000)}</html>`
    assert.equal(mergedOf(page, [65_536]).events, page)
    assert.equal(mergedOf('data: {"a":\n\ndata: [DONE]\n\n', [5]).events, 'data: {"a":\n\ndata: [DONE]\n\n')
  })

  it('keeps events of text alone until another one follows, or they are long, where the text is told by itself', () => {
    const merger = new TextEventMerger({ holdsBack: true })
    const take = (events: string) => merger.take(Buffer.from(events))
    const piece = (text: string) => anthropicMessages.piece(text, REPLY)
    assert.deepEqual(take(piece('Good ') + piece('mor')), { text: 'Good mor', events: '' })
    assert.deepEqual(take(piece('ning')), { text: 'ning', events: '' })
    const ping = 'event: ping\ndata: {"type":"ping"}\n\n'
    assert.deepEqual(take(ping), { text: '', events: piece('Good morning') + ping })
    const long = 'x'.repeat(70_000)
    assert.deepEqual(take(piece(long)), { text: long, events: piece(long) })
  })

  it('costs the same for pieces of one character, however long the event is', () => {
    const merger = new TextEventMerger({ holdsBack: false })
    const letter = Buffer.from('a')
    const start = threadMs()
    for (let at = 0; at < 200_000; at++) merger.take(at % 100 === 99 ? Buffer.from('\n') : letter)
    assert.ok(threadMs() - start < 2_000)
    assert.equal(merger.take(Buffer.from('\n\n')).events.length, 200_002)
  })

  it('takes no other member for the text, though it is written alike', () => {
    const chunk = (content: string, tier: string) =>
      `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }], service_tier: tier })}\n\n`
    const { text } = mergedOf(chunk('', '') + chunk('', 'default') + chunk('a', 'a') + chunk('a', 'b'), [1e6])
    assert.equal(text, 'aa')
  })
})
