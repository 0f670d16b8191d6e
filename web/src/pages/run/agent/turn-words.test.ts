import assert from 'node:assert/strict'
import { it } from 'node:test'
import { inOneLine, totalOf } from './turn-words.ts'

it('a conversation is summed up, with what was called side by side counted once', () => {
  const usage = {
    connection: 'a',
    model: 'm',
    input_tokens: 1_000,
    cached_tokens: 0,
    output_tokens: 5,
    finish: 'stop'
  }
  const call = { name: 'find', arguments: {}, status: 'succeeded' as const }
  const turn = { run_id: 'r', text: '', usage, duration_ms: 100 }
  const turns = [
    {
      ...turn,
      index: 0,
      calls: [
        { ...call, index: 1, duration_ms: 300 },
        { ...call, index: 2, duration_ms: 200 }
      ]
    },
    { ...turn, index: 3, calls: [] }
  ]
  const told = '2 questions · 2 calls · 500 ms · 2,000 tokens in, 10 out'
  assert.equal(totalOf(turns), told)
  const paid = turns.map((turn) => ({ ...turn, usage: { ...usage, cost: 0.00061 } }))
  assert.equal(totalOf(paid), `${told} · cost 0.00122`)
  assert.equal(totalOf([paid[0]!, turns[1]!]), told, 'a part of the cost is not told as all of it')
})

it('arguments stand in one line, whatever they are', () => {
  assert.equal(inOneLine({ order: 7, note: 'as\nis', list: [1] }), 'order: 7, note: as is, list: [1]')
  assert.equal(inOneLine('{"broken'), '{"broken')
  assert.equal(inOneLine({ text: 'x'.repeat(500) }).length, 160)
})
