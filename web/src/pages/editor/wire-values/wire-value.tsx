import { Link } from 'react-router'
import { parseEnd } from '../../../../../src/flows/graph/graph.ts'
import type { JsonValue } from '../../../../../src/flows/json/exact-json.ts'
import { useNodeOutput } from '../../../api/node-output.ts'
import { RelativeTime } from '../../../design/relative-time.tsx'
import { type Edge, findNode, nodeOfEnd } from '../../../editor/graph/flow.ts'
import { type Carried, carriedBy, takenWire } from '../../../editor/wiring/carried.ts'
import { type ShownRun, useEditor, useEditorState } from '../editor-context.ts'
import { factsOf } from './value-facts.ts'
import classes from './wire-values.module.css'

/** What went over a wire in the shown run, or most recently where that did not come by it. */
export function WireValue({ edge }: { readonly edge: Edge }) {
  const run = useEditorState((state) => state.run)
  const node = nodeOfEnd(edge.from)
  const status = run?.steps.get(node)?.status
  if (run === undefined) return <LastValue edge={edge} />
  const carried = carriedBy(edge, run.steps)
  if (carried.kind === 'silent') return <Silent edge={edge} run={run} because={carried.because} />
  if (carried.kind === 'unknown') {
    return (
      <>
        {status !== undefined && status !== 'succeeded' && (
          <p className={classes.message}>Nothing yet: the run has not reached this wire.</p>
        )}
        <LastValue edge={edge} />
      </>
    )
  }
  return (
    <>
      <Value value={carried.value} />
      <RunOrigin edge={edge} run={run} />
      <Order edge={edge} run={run} />
    </>
  )
}

function Silent({
  edge,
  run,
  because
}: {
  readonly edge: Edge
  readonly run: ShownRun
  readonly because: Extract<Carried, { kind: 'silent' }>['because']
}) {
  const { node = '', port = '' } = parseEnd(edge.from) ?? {}
  const title = useEditorState(({ flow, catalogue }) => {
    const found = findNode(flow, node)
    return found === undefined ? node : catalogue.titleOf(found)
  })
  const reasons = {
    output: `${title} gave nothing at ${port}.`,
    failed: `${title} failed.`,
    skipped: `${title} was skipped.`,
    'not reached': `The run ended before ${title}.`
  }
  return (
    <>
      <p className={classes.message}>
        <strong>Nothing came over it.</strong> {reasons[because]}
      </p>
      <RunOrigin edge={edge} run={run} />
    </>
  )
}

/** Inside a For each, the run of the item that is shown. */
function RunOrigin({ edge, run }: { readonly edge: Edge; readonly run: ShownRun }) {
  const { node = '', port = '' } = parseEnd(edge.from) ?? {}
  const isGiven = run.steps.get(node)?.given?.[port] !== undefined
  const parent = useEditorState(({ flow }) => findNode(flow, node)?.parent)
  const item = useEditorState(({ items }) => items.get(parent ?? (isGiven ? node : '')))
  return item === undefined ? (
    <Origin run={run.id} node={node} at={run.createdAt} />
  ) : (
    <Origin run={item.run.id} node={node} at={item.run.created_at} item={item.run.parent?.index} />
  )
}

/** Of several wires into one input, the first that carries something is the one that counts. */
function Order({ edge, run }: { readonly edge: Edge; readonly run: ShownRun }) {
  const edges = useEditorState(({ flow }) => flow.edges)
  const wires = edges.filter(({ to }) => to === edge.to)
  if (wires.length < 2) return null
  const taken = takenWire(wires, run.steps)
  if (taken?.from === edge.from) return null
  return (
    <p className={classes.message}>
      Not taken: the wire from {taken?.from} comes before it and carried a value.
    </p>
  )
}

/** Asked of the service, and only once somebody looks. */
function LastValue({ edge }: { readonly edge: Edge }) {
  const { flowId } = useEditor()
  const { node = '', port = '' } = parseEnd(edge.from) ?? {}
  const { data, isPending, isError } = useNodeOutput(flowId, node)
  if (isPending) return <p className={classes.message}>Loading…</p>
  if (isError) return <p className={classes.message}>What went over it could not be read.</p>
  if (data === null) return <p className={classes.message}>Nothing has come over this wire yet.</p>
  const value = Object.hasOwn(data.outputs, port) ? data.outputs[port] : undefined
  return (
    <>
      {value === undefined ? (
        <p className={classes.message}>Nothing came over it the last time.</p>
      ) : (
        <Value value={value} />
      )}
      <Origin run={data.run_id} node={node} at={data.created_at} />
    </>
  )
}

function Value({ value }: { readonly value: JsonValue }) {
  const { kind, size, beginning, isCut } = factsOf(value)
  return (
    <>
      <p className={classes.facts}>
        {kind} · {size}
      </p>
      <pre className={classes.value}>
        {beginning}
        {isCut && '…'}
        {beginning === '' && <span className={classes.facts}>empty</span>}
      </pre>
    </>
  )
}

interface OriginProps {
  readonly run: string
  readonly node: string
  readonly at: string
  /** Its place, where the run is that of an item. */
  readonly item?: number | undefined
}

function Origin({ run, node, at, item }: OriginProps) {
  return (
    <p className={classes.facts}>
      <RelativeTime at={at} /> in{' '}
      <Link to={`/runs/${run}?step=${encodeURIComponent(node)}`}>
        {item === undefined ? 'this run' : `item ${item}`}
      </Link>
    </p>
  )
}
