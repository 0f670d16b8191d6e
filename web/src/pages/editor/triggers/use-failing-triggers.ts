import { type TriggerFault, useTriggerFaults } from '../../../api/triggers.ts'
import { useEditor, useEditorState } from '../editor-context.ts'
import { startsByItself } from './starts-by-itself.ts'

/** By node, the triggers of the live version that could not be started. Most flows have none to ask for. */
export function useFailingTriggers(): ReadonlyMap<string, TriggerFault> {
  const { flowId } = useEditor()
  const isAsked = useEditorState(({ live, catalogue }) =>
    live.document.nodes.some(({ type }) => startsByItself(catalogue.facts(type)))
  )
  return useTriggerFaults(flowId, isAsked)
}
