import assert from 'node:assert/strict'
import perfHooks from 'node:perf_hooks'
import { it } from 'node:test'
import { createMetrics } from './metrics.ts'

it('the process is watched once, however many services come and go in it', async (t) => {
  const watch = t.mock.method(perfHooks, 'monitorEventLoopDelay')
  const all = Array.from({ length: 3 }, (_, at) =>
    createMetrics({ backlog: () => at, destinationsDown: () => 0 })
  )
  assert.ok(watch.mock.callCount() <= 1, `the event loop is watched ${watch.mock.callCount()} times`)
  for (const [at, metrics] of all.entries()) {
    const text = await metrics.text()
    assert.match(text, /^nodejs_eventloop_lag_p99_seconds /m)
    assert.match(text, /^nodejs_gc_duration_seconds_count|^# TYPE nodejs_gc_duration_seconds histogram/m)
    assert.match(text, new RegExp(`^millrace_backlog_runs ${at}$`, 'm'))
    assert.match(text, /[^\n]\n$/)
  }
})
