import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Histogram, Registry } from 'prom-client'
import { QuickHistogram } from './quick-histogram.ts'

test('a quick histogram reads as prom-client’s own', async () => {
  const buckets = [0.1, 1, 5]
  const values = [0, 0.05, 0.1, 0.100001, 1, 4.9, 5, 5.1, 700]
  const theirs = new Registry()
  const histogram = new Histogram({ name: 'seconds', help: 'How long.', buckets, registers: [theirs] })
  const ours = new Registry()
  const quick = new QuickHistogram(ours, 'seconds', 'How long.', buckets)
  for (const value of values) {
    histogram.observe(value)
    quick.observe(value)
  }
  assert.equal(await ours.metrics(), await theirs.metrics())
})
