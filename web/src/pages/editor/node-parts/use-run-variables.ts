import { useMemo } from 'react'
import { parseEnd } from '../../../../../src/flows/graph/graph.ts'
import type { JsonValue } from '../../../../../src/flows/json/exact-json.ts'
import { readableNodes } from '../../../editor/template/readable-nodes.ts'
import { outputIn, useDrawnFlow, useEditor, useEditorState } from '../editor-context.ts'
import { pinnedIn } from '../pins/pinned-in.ts'

/**
 * What the templates of a node read of the run beside its data, with what the shown run, or a pin, gave. Which nodes lead here is
 * found out when somebody asks: a large flow has thousands of templates, and few are being written.
 */
export function useRunVariables(id: string): Readonly<Record<string, JsonValue>> {
  const editor = useEditor()
  const edges = useDrawnFlow((flow) => flow.edges)
  const slug = useDrawnFlow((flow) => flow.slug)
  const run = useEditorState((state) => state.run)
  const pins = useEditorState((state) => state.pins)
  const chosenRun = useEditorState((state) => state.chosenRun)
  return useMemo(() => {
    const outputsOf = (node: string): Readonly<Record<string, JsonValue>> | undefined =>
      pinnedIn({ pins, chosenRun }, node)?.outputs ?? run?.steps.get(node)?.outputs ?? undefined
    let nodes: Record<string, JsonValue> | undefined
    const whole = wholeInput(edges, id, (end) => outputsOf(end.node)?.[end.port] ?? outputIn(run, end))
    return {
      get nodes(): Record<string, JsonValue> {
        nodes ??= Object.fromEntries(
          readableNodes({ nodes: editor.state().flow.nodes, edges }, id).flatMap((node) => {
            const outputs = outputsOf(node)
            return outputs === undefined ? [] : [[node, { ...outputs }]]
          })
        )
        return nodes
      },
      ...(whole !== undefined && { data: whole }),
      ...(run !== undefined && { run: { id: run.id, session: 'default', created_at: run.createdAt } }),
      flow: { slug },
      now: new Date().toISOString()
    }
  }, [editor, edges, slug, run, pins, chosenRun, id])
}

type End = NonNullable<ReturnType<typeof parseEnd>>

/** What came by the first wire that carried something. */
function wholeInput(
  edges: readonly { readonly from: string; readonly to: string }[],
  id: string,
  read: (end: End) => JsonValue | undefined
): JsonValue | undefined {
  for (const { from, to } of edges) {
    const source = parseEnd(to)?.node === id ? parseEnd(from) : undefined
    const value = source === undefined ? undefined : read(source)
    if (value !== undefined) return value
  }
  return undefined
}
