import { IconDots } from '../../../design/icons/page-icons.ts'
import { StateBadge } from '../../../design/state-badge.tsx'
import type { Node } from '../../../editor/graph/flow.ts'
import { AboutComponent } from '../about/about-component.tsx'
import { hueOf } from '../components/categories.ts'
import { ComponentIcon } from '../components/component-icon.tsx'
import { useNodeRun } from '../editor-context.ts'
import type { DrawnNode } from '../geometry/drawn-nodes.ts'
import { useDrawnNode } from '../geometry/use-drawn-node.ts'
import { useNodeMenu } from '../session/node-menu-context.ts'
import { startsByItself } from '../triggers/starts-by-itself.ts'
import { TriggerNote } from '../triggers/trigger-note.tsx'
import { Fold } from './fold.tsx'
import classes from './inspector.module.css'
import { InspectorFrame } from './inspector-frame.tsx'
import { NodeFailureSettings } from './node-failure-settings.tsx'
import { NodeFaults } from './node-faults.tsx'
import { NodeInput } from './node-input.tsx'
import { NodeOutput } from './node-output.tsx'
import { NodeSettings } from './node-settings.tsx'
import { NodeWires } from './node-wires.tsx'
import { useNodeTitle } from './use-node-title.ts'
import { useTakenWires } from './use-taken-wires.ts'

interface NodeInspectorProps {
  readonly node: Node
  readonly isWide: boolean
}

/** All of one node: its settings, what went in and came out, its wires, and what happens when it fails. */
export function NodeInspector({ node, isWide }: NodeInspectorProps) {
  const drawn = useDrawnNode(node)
  const fed = useTakenWires(drawn)
  return (
    <InspectorFrame
      title={<NodeTitle drawn={drawn} />}
      of={node.id}
      isWide={isWide}
      tools={<MenuTool node={node.id} />}
    >
      <div className={classes.node} data-inspected={node.id}>
        <div className={classes.column} data-column="settings">
          <NodeFaults node={node.id} />
          {startsByItself(drawn.component) && <TriggerNote node={node.id} />}
          <NodeSettings drawn={drawn} />
        </div>
        <div className={classes.column} data-column="input">
          <NodeInput drawn={fed} />
        </div>
        <div className={classes.column} data-column="output">
          <NodeOutput drawn={drawn} />
        </div>
        <div className={classes.column} data-column="more">
          <More drawn={drawn} />
        </div>
      </div>
    </InspectorFrame>
  )
}

/** What is looked at now and then. */
function More({ drawn }: { readonly drawn: DrawnNode }) {
  return (
    <>
      <Fold title="When it fails" isOpen={drawn.node.on_error === 'output'}>
        <NodeFailureSettings node={drawn.node} />
      </Fold>
      <Fold title="Wires">
        <NodeWires drawn={drawn} />
      </Fold>
      {drawn.component !== undefined && (
        <Fold title={`About ${drawn.component.title}`}>
          <AboutComponent component={drawn.component} />
        </Fold>
      )}
    </>
  )
}

function NodeTitle({ drawn: { node, component } }: { readonly drawn: DrawnNode }) {
  const run = useNodeRun(node.id)
  const kind = component?.title ?? node.type
  return (
    <>
      <span className={classes.icon} data-category={hueOf(component?.category)}>
        <ComponentIcon name={component?.icon} size={20} />
      </span>
      <div className={classes.names}>
        <input className={classes.title} aria-label="Title" {...useNodeTitle(node, kind)} />
        <span className={classes.kind}>
          {kind} · {node.id}
        </span>
      </div>
      {run !== undefined && <StateBadge state={run.status} iconOnly />}
    </>
  )
}

function MenuTool({ node }: { readonly node: string }) {
  const openMenu = useNodeMenu()
  return (
    <button
      type="button"
      className={classes.tool}
      aria-label="Menu of the node"
      aria-haspopup="menu"
      onClick={(event) => openMenu(node, event.currentTarget.getBoundingClientRect())}
    >
      <IconDots size={18} aria-hidden />
    </button>
  )
}
