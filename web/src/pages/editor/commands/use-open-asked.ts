import { useEffect } from 'react'
import { useSearchParams } from 'react-router'
import type { Command } from '../../../editor/commands/command.ts'
import type { Flow, Node } from '../../../editor/graph/flow.ts'
import { NARROW } from '../../runs/list/row-height.ts'
import { showArrival } from '../arrival/show-arrival.tsx'
import { useEditor, useEditorState } from '../editor-context.ts'
import { showFixing } from '../fixing/show-fixing.tsx'
import { useTesting } from '../session/testing-context.ts'

/** Opens what the address asks for: `?listen` waits for a request, `?fix=<run>` has a run that failed to be mended. */
export function useOpenAsked(): void {
  const editor = useEditor()
  const { listening } = useTesting()
  const [search, setSearch] = useSearchParams()
  // What is drawn before there is something to save it cannot be tried.
  const isReady = useEditorState(({ save }) => save !== undefined)
  const [isListening, fixed] = [isReady && search.has('listen'), search.get('fix')]
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked once, when the editor is opened.
  useEffect(() => {
    if (isListening) {
      editor.execute(withWebhook(editor.state().flow))
      showArrival(editor)
      void listening.listen()
      // Who comes back to this address does not wait again.
      setSearch({}, { replace: true })
    }
    if (fixed === null) return
    // On a phone what is selected would cover it.
    if (matchMedia(NARROW).matches) editor.inspect('closed')
    showFixing(editor, fixed)
  }, [editor, isListening, fixed])
}

/** What a request comes in by, where the flow has none yet. */
function withWebhook({ nodes }: Flow): Command {
  const isThere = nodes.some(({ type }) => type === 'webhook')
  const webhook: Node = { id: 'webhook-1', type: 'webhook', position: BEGINNING, fields: {} }
  return { kind: 'insert', fragment: { nodes: isThere ? [] : [webhook], edges: [], notes: [] } }
}

/** A canvas that nobody moved begins at 0, under the edge of the palette and the toolbar. On a phone it is in sight as well. */
const BEGINNING = { x: 64, y: 192 }
