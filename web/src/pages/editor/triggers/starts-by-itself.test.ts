import assert from 'node:assert/strict'
import { it } from 'node:test'
import { startsByItself } from './starts-by-itself.ts'

it('what waits to be asked does not start by itself, whatever a plugin calls its trigger does', () => {
  const started = [null, 'webhook', 'form', 'chat', 'schedule', 'run-failed', 'broker'].filter((trigger) =>
    startsByItself({ trigger })
  )
  assert.deepEqual(started, ['schedule', 'run-failed', 'broker'])
  assert.equal(startsByItself(undefined), false)
})
