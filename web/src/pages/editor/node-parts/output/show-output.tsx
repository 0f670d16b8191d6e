import { IconEye } from '../../../../design/icons/page-icons.ts'
import type { Node } from '../../../../editor/graph/flow.ts'
import type { Editor } from '../../editor-context.ts'
import type { NodeMenuEntry } from '../../node-part.ts'
import { FocusedPanel } from '../focused-panel.tsx'
import { InspectOutput } from './inspect-output.tsx'

function showOutput(editor: Editor, node: Node): void {
  const title = node.title ?? editor.component(node.type)?.title ?? node.type
  editor.showPanel({
    id: `output-${node.id}`,
    title: `Output of ${title}`,
    width: 440,
    content: (
      <FocusedPanel>
        <InspectOutput node={node.id} />
      </FocusedPanel>
    )
  })
}

export const inspectOutput: NodeMenuEntry = {
  id: 'inspect-output',
  title: 'Inspect output',
  icon: IconEye,
  run: showOutput
}
