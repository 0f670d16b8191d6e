import type { Editor } from '../editor-context.ts'
import { PayloadPanel } from '../lazy-tools.tsx'

const PAYLOAD = 'payload'

/** Opens the payload of tests below the canvas, so that what is selected stays in sight beside it. */
export function showPayload(editor: Pick<Editor, 'showPanel'>): undefined {
  editor.showPanel({
    id: PAYLOAD,
    title: 'Payload of the test',
    place: 'below',
    isSheet: true,
    content: <PayloadPanel />
  })
}
