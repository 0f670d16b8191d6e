import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import { type ProblemCode, problems } from '../../errors.ts'
import { MOST_MODELS, type ModelUsage, OTHER_MODELS } from '../../store/model-usage.ts'
import type { EndStatus } from '../../store/store.ts'
import { processMetrics } from './process-metrics.ts'
import { QuickHistogram } from './quick-histogram.ts'

/** What Prometheus reads at /metrics. */
export interface Metrics {
  accepted(seconds: number): void
  ended(status: EndStatus): void
  /** Tokens that a run used of a model. */
  used(usage: ModelUsage): void
  refused(reason: ProblemCode): void
  committed(batch: number, seconds: number): void
  text(): Promise<string>
  readonly contentType: string
}

const SECONDS = [0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5]

/** What is asked for when somebody reads. */
interface MetricSources {
  readonly backlog: () => number
  readonly destinationsDown: () => number
  readonly files: () => Promise<{ readonly count: number; readonly bytes: number }>
  readonly budgets: () => Promise<readonly { readonly context: string; readonly share: number }[]>
}

export function createMetrics({ backlog, destinationsDown, files, budgets }: MetricSources): Metrics {
  const registers = [new Registry()]
  const [registry] = registers as [Registry]
  const ofProcess = processMetrics()
  const runs = new Counter({
    name: 'millrace_runs_total',
    help: 'Finished runs by status.',
    labelNames: ['status'],
    registers
  })
  // Bound once: to look a label up costs more than to count.
  const ended = {
    succeeded: runs.labels('succeeded'),
    failed: runs.labels('failed'),
    cancelled: runs.labels('cancelled')
  }
  for (const counter of Object.values(ended)) counter.inc(0)
  const tokens = new Counter({
    name: 'millrace_model_tokens_total',
    help: 'Tokens of language models that finished runs used, by model and direction. Past 100 models, those that come later count as "other".',
    labelNames: ['model', 'direction'],
    registers
  })
  // Each is kept for good, and providers name them.
  const models = new Set<string>()
  const refusals = new Counter({
    name: 'millrace_refusals_total',
    help: 'Requests that were refused, by reason: the code of the problem.',
    labelNames: ['reason'],
    registers
  })
  for (const [reason, { status }] of Object.entries(problems)) {
    // What stops a start is no request.
    if (status !== 500) refusals.inc({ reason }, 0)
  }
  new Gauge({
    name: 'millrace_backlog_runs',
    help: 'Runs that are accepted and not finished. On PostgreSQL those of all processes, as counted up to 2 s ago.',
    registers,
    collect() {
      this.set(backlog())
    }
  })
  new Gauge({
    name: 'millrace_destinations_down',
    help: 'Destinations of Send webhook that this process holds deliveries to, because they have failed again and again.',
    registers,
    collect() {
      this.set(destinationsDown())
    }
  })
  fileGauges(registers, files)
  budgetGauge(registers, budgets)
  const accept = new QuickHistogram(
    registry,
    'millrace_accept_seconds',
    'From the request being read to it being durable.',
    SECONDS
  )
  const batch = new Histogram({
    name: 'millrace_commit_batch_size',
    help: 'Writes that shared one commit.',
    buckets: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000],
    registers
  })
  const commit = new Histogram({
    name: 'millrace_commit_seconds',
    help: 'One commit, fsync included.',
    buckets: SECONDS,
    registers
  })
  return {
    accepted: (seconds) => accept.observe(seconds),
    ended: (status) => ended[status].inc(),
    used: ({ model: named, input, output }) => {
      const model = models.has(named) || models.size < MOST_MODELS ? named : OTHER_MODELS
      models.add(model)
      tokens.inc({ model, direction: 'input' }, input)
      tokens.inc({ model, direction: 'output' }, output)
    },
    refused: (reason) => refusals.inc({ reason }),
    committed: (size, seconds) => {
      batch.observe(size)
      commit.observe(seconds)
    },
    text: async () => (await ofProcess.metrics()) + (await registry.metrics()),
    contentType: registry.contentType
  }
}

/** A store that cannot be read now tells nothing of its files, and everything else is told all the same. */
function fileGauges(registers: Registry[], files: MetricSources['files']): void {
  const gauge = (name: string, help: string, of: (figures: { count: number; bytes: number }) => number) =>
    new Gauge({
      name,
      help,
      registers,
      async collect() {
        const figures = await files().catch(() => undefined)
        if (figures === undefined) this.remove()
        else this.set(of(figures))
      }
    })
  const told = 'On PostgreSQL those of all processes. Above 20,000 as counted up to 5 minutes ago.'
  gauge('millrace_files', `Files that are stored, each content counted once. ${told}`, ({ count }) => count)
  gauge('millrace_file_bytes', `Bytes of files that are stored. ${told}`, ({ bytes }) => bytes)
}

/** One for each budget that an operator has set, so their number is theirs. One that is taken away is told no more. */
function budgetGauge(registers: Registry[], budgets: MetricSources['budgets']): void {
  new Gauge({
    name: 'millrace_budget_spent_ratio',
    help: 'Which share of the budget of a context is spent this month (UTC), in the context and below. A warning is logged at 0.8.',
    labelNames: ['context'],
    registers,
    async collect() {
      const shares = await budgets().catch(() => [])
      this.reset()
      for (const { context, share } of shares) this.set({ context }, share)
    }
  })
}
