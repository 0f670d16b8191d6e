import assert from 'node:assert/strict'
import { it } from 'node:test'
import { GatheredSignals, readSignal } from './signal-codec.ts'

it('calls of tools come in their place among the text, and large ones as their beginning', () => {
  const place = { flowId: 'flow-1', runId: 'run-1', node: 'agent' }
  const small = { ...place, tool: { id: 'agent/1', name: 'find', arguments: { order: 7 } } }
  const large = { ...place, tool: { id: 'agent/1', name: 'find', result: '\0'.repeat(10_000) } }
  const signals = new GatheredSignals()
  signals.add({ text: [{ ...place, at: 0, text: 'Let me look.' }, small, large] })
  const payloads = signals.take('a')
  for (const payload of payloads) assert.ok(Buffer.byteLength(payload) < 8_000)
  const [text, call, result] = payloads.flatMap((payload) => readSignal(payload)?.text ?? [])
  assert.deepEqual([text, call], [{ ...place, at: 0, text: 'Let me look.' }, small])
  assert.ok(result !== undefined && 'tool' in result)
  assert.match(String(result.tool.result), /^"(\\u0000)+\\?…$/)
})
