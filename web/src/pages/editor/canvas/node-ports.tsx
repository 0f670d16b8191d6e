import type { DrawnPort } from '../../../editor/wiring/drawn-ports.ts'
import type { DrawnNode } from '../geometry/drawn-nodes.ts'
import { hasPortRows } from '../geometry/node-geometry.ts'
import { useWiring } from '../wiring/wiring-context.ts'
import classes from './node.module.css'
import { PortHandle } from './port-handle.tsx'

interface NodePortsProps {
  readonly drawn: DrawnNode
  readonly isSettled: boolean
}

/** Inputs at the left, outputs at the right; where they stand is told in node-geometry.ts. */
export function NodePorts({ drawn, isSettled }: NodePortsProps) {
  const { node, inputs, outputs } = drawn
  if (inputs.length + outputs.length === 0) return null
  return (
    <div className={classes.ports} data-rows={hasPortRows(drawn) || undefined}>
      <ul className={classes.side} aria-label="Inputs">
        {inputs.map((port) => (
          <PortRow key={port.name} node={node.id} port={port} side="input" isSettled={isSettled} />
        ))}
      </ul>
      <ul className={classes.side} data-side="output" aria-label="Outputs">
        {outputs.map((port) => (
          <PortRow key={port.name} node={node.id} port={port} side="output" isSettled={isSettled} />
        ))}
      </ul>
    </div>
  )
}

interface PortRowProps {
  readonly node: string
  readonly port: DrawnPort
  readonly side: 'input' | 'output'
  readonly isSettled: boolean
}

function PortRow({ node, port: { name, port, isGone }, side, isSettled }: PortRowProps) {
  const fit = useWiring((wiring) => wiring.fitOf(node, name, side))
  const words = `${port.title}, ${port.type}${isGone ? ', gone' : ''}`
  return (
    <li className={classes.port} data-gone={isGone || undefined} data-fit={fit} title={port.help}>
      <span className={classes.portTitle}>{port.title}</span>
      <span className="visually-hidden">{words.slice(port.title.length)}</span>
      <PortHandle name={name} type={port.type} side={side} title={words} isSettled={isSettled} />
    </li>
  )
}
