import { Link } from 'react-router'
import type { Ports } from '../../../../../../src/flows/component/ports.ts'
import type { JsonValue } from '../../../../../../src/flows/json/exact-json.ts'
import { useNodeOutput } from '../../../../api/node-output.ts'
import { EmptyState } from '../../../../design/empty-state.tsx'
import { ErrorState } from '../../../../design/error-state.tsx'
import { IconInbox } from '../../../../design/icons/editor-icons.ts'
import { LoadingState } from '../../../../design/loading-state.tsx'
import { RelativeTime } from '../../../../design/relative-time.tsx'
import { findNode } from '../../../../editor/graph/flow.ts'
import { useDrawnFlow, useEditor } from '../../editor-context.ts'
import classes from './inspect-output.module.css'
import { PortValue } from './port-value.tsx'

/** What a node put out most recently, in whichever run that was; it follows the flow while it is open. */
export function InspectOutput({ node }: { readonly node: string }) {
  const editor = useEditor()
  const type = useDrawnFlow((flow) => findNode(flow, node)?.type)
  const hasWebhook = useDrawnFlow((flow) => flow.nodes.some(({ type }) => type === 'webhook'))
  const { data, error, isPending, refetch } = useNodeOutput(editor.flowId, node)
  if (isPending) return <LoadingState rows={4} />
  if (error !== null) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (data === null) {
    return (
      <EmptyState icon={IconInbox} title="No output yet">
        {hasWebhook
          ? 'Send a request to the flow’s webhook, or press Test.'
          : 'Press Test, or wait for the first run.'}{' '}
        What this node makes of it is shown here.
      </EmptyState>
    )
  }
  const ports = (type === undefined ? undefined : editor.component(type)?.outputs) ?? {}
  return (
    <div className={classes.panel}>
      <p className={classes.origin}>
        <RelativeTime at={data.created_at} /> in <Link to={`/runs/${data.run_id}`}>this run</Link>
      </p>
      {Object.entries(data.outputs).map(([name, value]) => (
        // A value of another run is another one: what was opened or chosen in the old one does not fit it.
        <Output key={`${data.run_id}.${name}`} name={name} value={value} ports={ports} />
      ))}
    </div>
  )
}

interface OutputProps {
  readonly name: string
  readonly value: JsonValue
  readonly ports: Ports
}

function Output({ name, value, ports }: OutputProps) {
  const title = ports[name]?.title ?? name
  return (
    <section className={classes.output}>
      <h3 className={classes.title}>{title}</h3>
      <PortValue value={value} label={title} port={ports[name]} />
    </section>
  )
}
