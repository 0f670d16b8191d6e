import { nodeDigest } from '../../../../../src/flows/document/node-digest.ts'
import type { Pin } from '../../../api/pins.ts'
import { IconPin } from '../../../design/icons/editor-icons.ts'
import type { Node } from '../../../editor/graph/flow.ts'
import classes from './node-marks.module.css'

interface PinMarkProps {
  readonly node: Node
  readonly pin: Pin
}

/** Below a node: tests take what is pinned. */
export function PinMark({ node, pin }: PinMarkProps) {
  const isStale = nodeDigest(node) !== pin.made_of
  return (
    <span
      className={classes.pinned}
      data-stale={isStale || undefined}
      title={
        isStale
          ? 'Tests use the pinned output. The settings have changed since, so it may be stale.'
          : 'Tests use the pinned output, and do not run the node.'
      }
    >
      <IconPin size={12} aria-hidden />
      {isStale ? 'stale pin' : 'pinned'}
    </span>
  )
}

/** Below a node: the run that is shown took what was pinned. */
export function TakenMark() {
  return (
    <span className={classes.fromPin} title="That run used the pinned output, and did not run the node.">
      <IconPin size={12} aria-hidden />
      <span className="visually-hidden">from the pin</span>
    </span>
  )
}
