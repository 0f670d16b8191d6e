import type { Catalogue } from '../../flows/component/catalogue.ts'
import { Nullable, Time } from '../../flows/json/common-schemas.ts'
import { Type } from '../../flows/json/schema-builder.ts'
import type { LiveFlow } from '../../library/live-flow.ts'
import { timeText } from '../../runs/present/time-text.ts'
import type { StoredTrigger } from '../../store/triggers.ts'
import { triggerNodesOf } from '../../triggers/trigger-nodes.ts'

export const Trigger = Type.Object({
  node: Type.String(),
  trigger: Type.String({ description: 'What its runs tell that they were started by' }),
  status: Type.Enum(['running', 'failing', 'stopped'], {
    description:
      'It fails when it could not be started, and is tried again; it is stopped while its flow is paused'
  }),
  error: Nullable(
    Type.Object({ message: Type.String(), at: Time }, { description: 'Why it is failing, and since when' })
  )
})

/** How the triggers of a flow are that start runs by themselves. What is stored may be of other flows too. */
export function triggerStandings(
  flow: LiveFlow,
  stored: readonly StoredTrigger[],
  catalogue: Pick<Catalogue, 'find'>
) {
  return triggerNodesOf(flow, catalogue).map(({ node, component }) => {
    const known = stored.find((each) => each.flowId === flow.id && each.node === node.id)
    const fault = flow.paused === null ? (known?.fault ?? null) : null
    const working = flow.paused === null ? 'running' : 'stopped'
    return {
      node: node.id,
      trigger: component.trigger,
      status: fault === null ? working : 'failing',
      error: fault && { message: fault.message, at: timeText(fault.at) }
    }
  })
}
