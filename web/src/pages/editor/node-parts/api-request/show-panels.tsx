import { IconClipboard, IconListTree } from '../../../../design/icons/editor-icons.ts'
import type { Node } from '../../../../editor/graph/flow.ts'
import type { Editor } from '../../editor-context.ts'
import type { NodeMenuEntry } from '../../node-part.ts'
import { FocusedPanel } from '../focused-panel.tsx'
import { LastAnswer } from './last-answer.tsx'
import { PasteCurl } from './paste-curl.tsx'

export function showPasteCurl(editor: Editor, node: Node, command = ''): void {
  editor.showPanel({
    id: `paste-curl-${node.id}`,
    title: 'Paste a curl command',
    width: 440,
    content: <PasteCurl node={node.id} begun={command} />
  })
}

export function showLastAnswer(editor: Editor, node: Node): void {
  const title = node.title ?? editor.component(node.type)?.title ?? node.type
  editor.showPanel({
    id: `last-answer-${node.id}`,
    title: `Last answer of ${title}`,
    width: 440,
    content: (
      <FocusedPanel>
        <LastAnswer node={node.id} />
      </FocusedPanel>
    )
  })
}

export const pasteCurl: NodeMenuEntry = {
  id: 'paste-curl',
  title: 'Paste a curl command',
  icon: IconClipboard,
  run: (editor, node) => showPasteCurl(editor, node)
}

export const lastAnswer: NodeMenuEntry = {
  id: 'last-answer',
  title: 'Last answer',
  icon: IconListTree,
  run: showLastAnswer
}
