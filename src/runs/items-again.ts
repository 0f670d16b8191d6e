import type { StepRecord } from '../engine/step-record.ts'
import type { FlowDocument } from '../flows/document/flow-document.ts'
import { linksOf } from '../flows/graph/graph.ts'
import { linksOutside, parentsOf } from '../flows/graph/regions.ts'
import { neighboursOf, walk } from '../flows/graph/taken-nodes.ts'
import { isLongValue } from '../flows/json/long-value.ts'
import type { StoredRun } from '../store/store.ts'
import { runStartOf } from './record/run-start.ts'
import { decodeSteps } from './record/step-codec.ts'
import { notRetryable, startsRunsAfter, unknownItems } from './run-refusals.ts'

/** Which of the items that failed are to run again; all of them where nothing is said. */
export interface ChosenItems {
  readonly node?: string
  readonly items?: readonly number[]
}

/** What a run that succeeded does again. */
export interface RunAgain {
  /** The nodes whose items failed, and those of them that are chosen. */
  readonly nodes: readonly string[]
  readonly items: readonly number[] | undefined
  /** What follows them, which runs with the new results. */
  readonly after: ReadonlySet<string>
}

/** Nodes that start runs of their own: those that they had would be taken for the new ones. */
const STARTS_RUNS = ['for-each', 'repeat', 'run-flow', 'agent']
/** A failure of theirs was led on. */
const HAS_RUN: ReadonlySet<StepRecord['status']> = new Set(['succeeded', 'failed'])

/** Throws where nothing of the run can run again. */
export function itemsAgain(run: StoredRun, document: FlowDocument, chosen: ChosenItems): RunAgain {
  const steps = decodeSteps(run.outcome!.steps, runStartOf(run))
  const failed = steps.filter((step) => hasFailedItems(step, chosen.items))
  const nodes = failed.map(({ node }) => node).filter((node) => (chosen.node ?? node) === node)
  if (nodes.length === 0) throw chosen.items === undefined ? notRetryable(run) : unknownItems(run)
  const links = linksOutside(parentsOf(document.nodes), linksOf(document.edges))
  const next = neighboursOf(links, 'fromNode', 'toNode')
  const after = walk(
    nodes.flatMap((node) => next.get(node) ?? []),
    next
  )
  const starting = steps.find(
    ({ node, type, status }) => after.has(node) && HAS_RUN.has(status) && STARTS_RUNS.includes(type)
  )
  if (starting !== undefined) throw startsRunsAfter(run, starting.node)
  return { nodes, items: chosen.items, after }
}

/** Where they are too many to be looked through here, the step finds out itself. */
function hasFailedItems(
  { type, status, outputs, pinned }: StepRecord,
  items: readonly number[] | undefined
): boolean {
  // Of one that is pinned no item has run.
  if (type !== 'for-each' || status !== 'succeeded' || pinned === true) return false
  const errors = outputs?.errors
  if (isLongValue(errors)) return true
  if (!Array.isArray(errors) || errors.length === 0) return false
  const indexes = new Set((errors as readonly { readonly index: number }[]).map(({ index }) => index))
  return items === undefined || items.every((item) => indexes.has(item))
}
