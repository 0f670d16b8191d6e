import type { Metric, Registry } from 'prom-client'

/**
 * A histogram without labels, as prom-client's own but for what it costs to observe: that looks for labels and
 * exemplars each time, 1.5 µs of accepting a webhook.
 */
export class QuickHistogram {
  readonly #name: string
  readonly #help: string
  readonly #bounds: readonly number[]
  /** Observations that are within a bound and beyond the one before; the last are beyond all. */
  readonly #counts: number[]
  #sum = 0

  constructor(registry: Registry, name: string, help: string, bounds: readonly number[]) {
    this.#name = name
    this.#help = help
    this.#bounds = bounds
    this.#counts = Array.from({ length: bounds.length + 1 }, () => 0)
    const metric = { name, get: async () => this.#told() }
    registry.registerMetric(metric as unknown as Metric)
  }

  observe(value: number): void {
    let at = 0
    while (at < this.#bounds.length && value > this.#bounds[at]!) at++
    this.#counts[at]!++
    this.#sum += value
  }

  /** What the registry reads: each bucket with all that is below its bound. */
  #told() {
    let count = 0
    const buckets = [...this.#bounds, '+Inf'].map((le, at) => {
      count += this.#counts[at]!
      return { labels: { le }, value: count, metricName: `${this.#name}_bucket` }
    })
    const totals = [
      { labels: {}, value: this.#sum, metricName: `${this.#name}_sum` },
      { labels: {}, value: count, metricName: `${this.#name}_count` }
    ]
    return {
      name: this.#name,
      help: this.#help,
      type: 'histogram',
      values: [...buckets, ...totals],
      aggregator: 'sum'
    }
  }
}
