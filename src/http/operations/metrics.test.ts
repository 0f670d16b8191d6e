import assert from 'node:assert/strict'
import perfHooks from 'node:perf_hooks'
import { it } from 'node:test'
import { createMetrics } from './metrics.ts'

const nothing = {
  backlog: () => 0,
  destinationsDown: () => 0,
  files: async () => ({ count: 0, bytes: 0 }),
  budgets: async () => []
}

it('the process is watched once, however many services come and go in it', async (t) => {
  const watch = t.mock.method(perfHooks, 'monitorEventLoopDelay')
  const all = Array.from({ length: 3 }, (_, at) => createMetrics({ ...nothing, backlog: () => at }))
  assert.ok(watch.mock.callCount() <= 1, `the event loop is watched ${watch.mock.callCount()} times`)
  for (const [at, metrics] of all.entries()) {
    const text = await metrics.text()
    assert.match(text, /^nodejs_eventloop_lag_p99_seconds /m)
    assert.match(text, /^nodejs_gc_duration_seconds_count|^# TYPE nodejs_gc_duration_seconds histogram/m)
    assert.match(text, new RegExp(`^millrace_backlog_runs ${at}$`, 'm'))
    assert.match(text, /[^\n]\n$/)
  }
})

it('models past the hundredth are counted together', async () => {
  const metrics = createMetrics(nothing)
  for (const round of [1, 2])
    for (let n = 0; n < 150; n++) metrics.used({ model: `model ${n}`, input: round, cached: 0, output: 1 })
  const text = await metrics.text()
  const lines = text.split('\n').filter((line) => line.startsWith('millrace_model_tokens_total{'))
  assert.equal(lines.length, 202)
  assert.match(text, /^millrace_model_tokens_total\{model="model 99",direction="input"\} 3$/m)
  assert.match(text, /^millrace_model_tokens_total\{model="other",direction="input"\} 150$/m)
})

it('files are told as long as they can be counted', async () => {
  let isAway = false
  const metrics = createMetrics({
    ...nothing,
    files: async () => (isAway ? Promise.reject(new Error('away')) : { count: 2, bytes: 5_000 })
  })
  assert.match(await metrics.text(), /^millrace_files 2$/m)
  assert.match(await metrics.text(), /^millrace_file_bytes 5000$/m)
  isAway = true
  const text = await metrics.text()
  assert.doesNotMatch(text, /^millrace_file_bytes \d/m)
  assert.match(text, /^millrace_backlog_runs 0$/m)
})

it('a budget is told by its context, and no more once it is taken away', async () => {
  let budgets = [{ context: '/sales', share: 0.85 }]
  const metrics = createMetrics({ ...nothing, budgets: async () => budgets })
  assert.match(await metrics.text(), /^millrace_budget_spent_ratio\{context="\/sales"\} 0\.85$/m)
  budgets = []
  assert.doesNotMatch(await metrics.text(), /^millrace_budget_spent_ratio\{/m)
})
