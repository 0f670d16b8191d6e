import type { Node } from '../../../../editor/graph/flow.ts'
import type { Editor } from '../../editor-context.ts'
import { TemplatePanel } from './template-panel.tsx'

/** Opens a template beside the canvas, with the payload that it is filled from. */
export function showTemplate(editor: Editor, node: Node, field: string): void {
  const component = editor.component(node.type)
  const title = component?.fields[field]?.title ?? field
  editor.showPanel({
    id: `template-${node.id}-${field}`,
    title: `${title} of ${node.title ?? component?.title ?? node.type}`,
    width: 460,
    content: <TemplatePanel node={node.id} field={field} />
  })
}
