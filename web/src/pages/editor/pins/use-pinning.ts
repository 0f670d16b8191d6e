import { useApi } from '../../../api/api-context.ts'
import { type Outputs, useChangePin } from '../../../api/pins.ts'
import { readNodeOutput } from '../../../api/read-node-output.ts'
import { notifyProblem, notifyRefusal } from '../../../design/notify.tsx'
import { useEditor } from '../editor-context.ts'
import { whenSaved } from '../save/when-saved.ts'
import { useSaving } from '../session/saving-context.ts'

export interface Pinning {
  readonly isBusy: boolean
  /** Tells whether it was taken; why not is told to the person. */
  pin(node: string, outputs: Outputs): Promise<boolean>
  unpin(node: string): Promise<boolean>
  /** What the node put out in the shown run, or else most recently; undefined where it never did. */
  lastOutputs(node: string): Promise<Outputs | undefined>
  /** Unpins, or pins what came out last. */
  toggle(node: string): Promise<void>
}

/** Pins outputs of nodes for tests. What is drawn is saved first: the service looks at the node as it has it. */
export function usePinning(): Pinning {
  const api = useApi()
  const editor = useEditor()
  const saving = useSaving()
  const change = useChangePin(editor.flowId)
  const changeTo = async (node: string, outputs: Outputs | null) => {
    try {
      await whenSaved(editor, saving)
      await change.mutateAsync({ node, outputs })
      return true
    } catch (error) {
      notifyProblem(error)
      return false
    }
  }
  const lastOutputs = async (node: string) => {
    const shown = editor.state().run?.steps.get(node)?.outputs
    return shown ?? (await readNodeOutput(api, editor.flowId, node))?.outputs
  }
  return {
    isBusy: change.isPending,
    pin: changeTo,
    unpin: (node) => changeTo(node, null),
    lastOutputs,
    toggle: async (node) => {
      if (editor.state().pins.has(node)) return void (await changeTo(node, null))
      const outputs = await lastOutputs(node).catch(notifyProblem)
      if (outputs != null) return void (await changeTo(node, outputs))
      notifyRefusal(
        'Nothing to pin',
        'The node has no output yet. Run it, or write its output in the inspector.'
      )
    }
  }
}
