import type { Clock } from '../clock.ts'
import { NO_CIRCUITS } from '../egress/circuits.ts'
import { Execution } from '../engine/execution.ts'
import { type JournalState, recall } from '../engine/journal.ts'
import { type Plan, PlanError, planFlow } from '../engine/plan.ts'
import type { Outputs, StepRecord } from '../engine/step-record.ts'
import type { Catalogue } from '../flows/component/catalogue.ts'
import type { FlowDocument, FlowNode } from '../flows/document/flow-document.ts'
import { parseEnd } from '../flows/graph/graph.ts'
import { linkedNodes } from '../flows/graph/run-links.ts'
import type { ExecutableRun } from '../store/store.ts'
import { noChildren } from './children/no-children.ts'
import { NO_LIVE_TEXT } from './live-text/live-text.ts'
import { newRun } from './record/new-run.ts'
import { runStartOf } from './record/run-start.ts'
import { linkedScope } from './steps/linked-scope.ts'
import type { Pacing } from './steps/pacing.ts'
import { type JournalEffects, RunEffects } from './steps/run-effects.ts'
import type { Outside, RunInContext } from './steps/run-in-context.ts'
import { RunOutputs } from './steps/run-outputs.ts'
import type { RunScope } from './steps/run-scope.ts'
import type { StepWatch } from './steps/step-watch.ts'

/** One node that somebody tries out by itself. */
export interface NodeTrial {
  readonly flow: { readonly id: string; readonly version: number }
  /** What the node is part of: it tells the context. */
  readonly document: FlowDocument
  readonly node: FlowNode
  readonly inputs: Readonly<Record<string, unknown>>
  /** What nodes put out that its fields read, by node. */
  readonly read: ReadonlyMap<string, Outputs>
  /** What the run was started with that the node is to see. */
  readonly started: Pick<ExecutableRun, 'input' | 'request' | 'session'>
  /** Files that whoever tries it may read. */
  readonly files: readonly string[]
}

interface TryNodeDeps {
  readonly clock: Clock
  readonly catalogue: Catalogue
  readonly scopeOf: (context: string) => RunScope
  readonly outside: Outside
  readonly pacing: Pacing
  readonly watch: StepWatch
}

/** Runs are numbered from 1, so this is no run's: should the step hold the thread, no run is blamed. */
const NO_RUN = 0

/**
 * Runs one node as a run would, with its hooks, its time and its limits, once and without a store: whoever tries it
 * waits for it, and it is over with them. Its inputs come over wires from a node that has settled already.
 */
export function tryNode(trial: NodeTrial, deps: TryNodeDeps, signal: AbortSignal): Promise<StepRecord> {
  return new Promise((resolve) => {
    const { node } = trial
    let plan: Plan
    try {
      plan = withRead(planFlow({ ...trial.flow, document: aloneIn(trial) }, deps.catalogue), trial)
    } catch (error) {
      if (!(error instanceof PlanError)) throw error
      const { code, message } = error
      return resolve(failed(node, { code, message }))
    }
    const { clock, watch } = deps
    const around = aroundOf(trial, deps)
    const { input, request } = around.start
    const run = { plan, storedValues: [input, request], trigger: 'api', isSuspect: false } as const
    const execution = new Execution(
      run,
      settledInputs(trial, clock),
      new RunEffects({ around, outputs: around.outputs, journal: NOT_WRITTEN, watch, clock }),
      (ending) => {
        if (ending.kind === 'parked') return resolve({ ...bare(node.id, node.type), status: 'waiting' })
        const steps = ending.kind === 'ended' ? ending.steps : []
        const step = steps.find((each) => each.node === node.id)
        resolve(step ?? failed(node, { code: 'run_cancelled', message: 'The node was not run to its end.' }))
      }
    )
    signal.addEventListener('abort', () => execution.cancel(), { once: true })
    execution.start()
  })
}

/** The node, with wires from a node that stands for all those before it. One attempt: somebody looks on. */
function aloneIn(trial: NodeTrial): FlowDocument {
  const { document, node, inputs } = trial
  const source = sourceFor(trial)
  const { on_error: _, disabled: __, ...tried } = node
  return {
    ...document,
    nodes: [
      ...[source, ...trial.read.keys()].map((id) => ({
        id,
        type: source,
        disabled: true,
        position: { x: 0, y: 0 },
        fields: {}
      })),
      { ...tried, retry: { ...tried.retry, attempts: 1 } }
    ],
    edges: Object.keys(inputs)
      // Whoever sends a name that no port can have sends nothing to this node.
      .filter((port) => parseEnd(`${node.id}.${port}`)?.port === port)
      .map((port) => ({ from: `${source}.${port}`, to: `${node.id}.${port}` })),
    notes: []
  }
}

/** It reads those alone, which have settled without leading anywhere. */
function withRead(plan: Plan, { node, read }: NodeTrial): Plan {
  const nodes = plan.nodes.map((planned) => {
    const { references } = planned
    if (planned.id !== node.id || references === undefined) return planned
    const places = plan.nodes.flatMap(({ id, index }) => (read.has(id) ? [{ id, index }] : []))
    return { ...planned, references: { ...references, nodes: places } }
  })
  return { ...plan, nodes }
}

function sourceFor({ node, read }: NodeTrial): string {
  let name = 'inputs'
  for (let at = 1; name === node.id || read.has(name); at++) name = `inputs-${at}`
  return name
}

function settledInputs(trial: NodeTrial, clock: Clock): JournalState {
  const at = clock.now()
  const source = sourceFor(trial)
  const settled = [[source, trial.inputs] as const, ...trial.read].map(
    ([id, outputs]): StepRecord => ({ ...bare(id, source), status: 'succeeded', startedAt: at, outputs })
  )
  return recall([{ at, startedAt: at, settled }])
}

function aroundOf(
  { flow, document, started, files }: NodeTrial,
  deps: TryNodeDeps
): RunInContext & { outputs: RunOutputs } {
  const { clock, outside, pacing } = deps
  const fresh = newRun({ flow: { ...flow, paused: null }, trigger: 'api', input: new Uint8Array() }, clock)
  const scope = deps.scopeOf(document.context)
  const linked = linkedNodes(document.nodes)
  const context = linked === undefined ? scope : linkedScope(scope, linked, fresh.id, outside.addresses)
  const run: ExecutableRun = { ...fresh, ...started, seq: NO_RUN, isTest: true }
  const start = runStartOf(run)
  const outputs = new RunOutputs({
    run,
    start,
    limits: context.outputLimits,
    pacing,
    store: { keepPiece: async () => true, readPiece: async () => undefined },
    persist: (write) => write()
  })
  const { newId, now } = clock
  const own = { liveText: NO_LIVE_TEXT, children: noChildren, outside: { ...outside, circuits: NO_CIRCUITS } }
  // Somebody waits for it.
  const persist: RunInContext['persist'] = (ask) => ask()
  return { run, start, givenFiles: files, context, outputs, pacing, persist, newId, now, ...own }
}

/** Nothing of a trial is written down, and nobody is to end a wait of it. */
const NOT_WRITTEN: JournalEffects = {
  isStored: false,
  awaits() {},
  checkpoint: async () => true,
  openWait: async () => true,
  closeWait: async () => ({ state: 'open' })
}

function failed({ id, type }: FlowNode, error: NonNullable<StepRecord['error']>): StepRecord {
  return { ...bare(id, type), status: 'failed', error }
}

function bare(node: string, type: string): Omit<StepRecord, 'status'> {
  return { node, type, attempts: 1, startedAt: null, durationMs: 0, outputs: null, error: null }
}
