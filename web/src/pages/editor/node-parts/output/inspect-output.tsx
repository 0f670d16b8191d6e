import { Link } from 'react-router'
import type { Ports } from '../../../../../../src/flows/component/ports.ts'
import type { JsonValue } from '../../../../../../src/flows/json/exact-json.ts'
import { RelativeTime } from '../../../../design/relative-time.tsx'
import { findNode } from '../../../../editor/graph/flow.ts'
import { useDrawnFlow, useEditor } from '../../editor-context.ts'
import classes from './inspect-output.module.css'
import { LastOutput } from './last-output.tsx'
import { PortValue } from './port-value.tsx'

/** What a node put out most recently, port by port. */
export function InspectOutput({ node }: { readonly node: string }) {
  const editor = useEditor()
  const type = useDrawnFlow((flow) => findNode(flow, node)?.type)
  const hasWebhook = useDrawnFlow((flow) => flow.nodes.some(({ type }) => type === 'webhook'))
  const start = hasWebhook
    ? 'Send a request to the flow’s webhook, or press Test.'
    : 'Press Test, or wait for the first run.'
  const ports = (type === undefined ? undefined : editor.component(type)?.outputs) ?? {}
  return (
    <LastOutput
      node={node}
      empty={{ title: 'No output yet', hint: `${start} What this node makes of it is shown here.` }}
    >
      {({ run_id, created_at, outputs }) => (
        <div className={classes.panel}>
          <p className={classes.origin}>
            <RelativeTime at={created_at} /> in <Link to={`/runs/${run_id}`}>this run</Link>
          </p>
          {Object.entries(outputs).map(([name, value]) => (
            // A value of another run is another one: what was opened or chosen in the old one does not fit it.
            <Output key={`${run_id}.${name}`} node={node} name={name} value={value} ports={ports} />
          ))}
        </div>
      )}
    </LastOutput>
  )
}

interface OutputProps {
  readonly node: string
  readonly name: string
  readonly value: JsonValue
  readonly ports: Ports
}

function Output({ node, name, value, ports }: OutputProps) {
  const title = ports[name]?.title ?? name
  return (
    <section className={classes.output}>
      <h3 className={classes.title}>{title}</h3>
      <PortValue value={value} label={title} port={ports[name]} of={{ node, output: name }} />
    </section>
  )
}
