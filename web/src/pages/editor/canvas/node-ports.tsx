import { IconPlus } from '../../../design/icons/page-icons.ts'
import type { Point } from '../../../editor/graph/flow.ts'
import { type DrawnPort, handleIdOf } from '../../../editor/wiring/drawn-ports.ts'
import { useEditorState } from '../editor-context.ts'
import type { DrawnNode } from '../geometry/drawn-nodes.ts'
import { hasPortRows } from '../geometry/node-geometry.ts'
import { useQuickAdd } from '../session/quick-add-context.ts'
import { useWiring } from '../wiring/wiring-context.ts'
import classes from './node-ports.module.css'
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
          <PortRow key={handleIdOf(port)} node={node.id} port={port} side="output" isSettled={isSettled} />
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
  /** Of a region, whose ports stand where its geometry says. */
  readonly place?: Point | undefined
  readonly className?: string
}

export function PortRow({ node, port: drawn, side, isSettled, place, className }: PortRowProps) {
  const { name, port, isGone, isOpen, isInside } = drawn
  const fit = useWiring((wiring) => wiring.fitOf(node, name, side))
  const label = `${port.title}, ${port.type}${isGone ? ', gone' : ''}`
  return (
    <li
      className={className === undefined ? classes.port : `${classes.port} ${className}`}
      data-gone={isGone || undefined}
      data-fit={fit}
      data-side={place && side}
      data-inside={isInside || undefined}
      title={port.help ?? port.title}
      style={place && { left: place.x, top: place.y }}
    >
      <span className={classes.portTitle}>{port.title}</span>
      <span className="visually-hidden">{label.slice(port.title.length)}</span>
      <PortHandle id={handleIdOf(drawn)} type={port.type} side={side} title={label} isSettled={isSettled} />
      {isOpen === true && isSettled && <AddAfter node={node} port={name} title={port.title} />}
    </li>
  )
}

interface AddAfterProps {
  readonly node: string
  readonly port: string
  readonly title: string
}

/** Adds a node that takes what comes out here. By keyboard, the list view does it: a stop for each port would be many. */
function AddAfter({ node, port, title }: AddAfterProps) {
  const quickAdd = useQuickAdd()
  const isReadOnly = useEditorState((state) => state.isReadOnly)
  if (isReadOnly) return null
  return (
    <button
      type="button"
      tabIndex={-1}
      className={`${classes.add} nodrag nopan`}
      aria-label={`Add a node after ${title} of ${node}`}
      title="Add a node here"
      onClick={({ currentTarget }) => {
        const { right, top } = currentTarget.getBoundingClientRect()
        quickAdd.open({ screen: { x: right + 40, y: top }, handle: { node, port, side: 'output' } })
      }}
    >
      <IconPlus size={12} aria-hidden />
    </button>
  )
}
