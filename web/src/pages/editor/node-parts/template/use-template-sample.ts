import { useMemo } from 'react'
import type { JsonValue } from '../../../../../../src/flows/json/exact-json.ts'
import { useNodeOutputs } from '../../../../api/node-output.ts'
import type { NodeOutput } from '../../../../api/read-node-output.ts'
import { outputIn, useDrawnFlow, useEditor, useEditorState } from '../../editor-context.ts'
import { pinnedIn } from '../../pins/pinned-in.ts'
import {
  feedingNodes,
  type SourceOptions,
  sampleFrom,
  type TemplateSource,
  templateSource
} from './template-source.ts'

/** What a template would read if the last request came again. */
export interface TemplateSample {
  readonly source: TemplateSource
  /** Undefined where nothing has come that way yet. */
  readonly data: JsonValue | undefined
  /** The run that the values are from. */
  readonly run: { readonly id: string; readonly at: string } | undefined
  /** All that is read is pinned. */
  readonly isPinned: boolean
}

interface SampleOptions extends SourceOptions {
  readonly node: string
  /** Asks the service for what the run on the canvas does not tell. A node that nobody works on must not ask. */
  readonly isAsking: boolean
}

export function useTemplateSample({ node, isAsking, ...options }: SampleOptions): TemplateSample {
  const editor = useEditor()
  const source = useTemplateSource(node, options)
  const run = useEditorState((state) => state.run)
  const pins = useEditorState((state) => state.pins)
  const chosenRun = useEditorState((state) => state.chosenRun)
  const feeds = feedingNodes(source)
  const isPinned =
    feeds.length > 0 && feeds.every((feed) => pinnedIn({ pins, chosenRun }, feed) !== undefined)
  const known = useMemo(
    () =>
      sampleFrom(source, (end) => {
        const pin = pinnedIn({ pins, chosenRun }, end.node)
        return pin === undefined ? outputIn(run, end) : pin.outputs[end.port]
      }),
    [source, run, pins, chosenRun]
  )
  const asked = useNodeOutputs(editor.flowId, isAsking && known === undefined && !isPinned ? feeds : [])
  return useMemo(() => {
    if (isPinned) return { source, data: known, run: undefined, isPinned }
    if (known !== undefined && run !== undefined) {
      return { source, data: known, run: { id: run.id, at: run.createdAt }, isPinned }
    }
    const newest = newestOf([...asked.values()])
    return {
      source,
      data: sampleFrom(source, (end) => asked.get(end.node)?.outputs[end.port]),
      run: newest === undefined ? undefined : { id: newest.run_id, at: newest.created_at },
      isPinned
    }
  }, [known, run, asked, source, isPinned])
}

function useTemplateSource(node: string, { field, input }: SourceOptions): TemplateSource {
  const editor = useEditor()
  const edges = useDrawnFlow((flow) => flow.edges)
  const type = useDrawnFlow((flow) => flow.nodes.find(({ id }) => id === node)?.type)
  // biome-ignore lint/correctness/useExhaustiveDependencies: of the flow, only its wires matter.
  return useMemo(() => {
    const component = type === undefined ? undefined : editor.component(type)
    const facts = component ?? { inputs: {}, inputs_from_template: null }
    return templateSource(editor.state().flow, node, facts, { field, input })
  }, [editor, edges, type, node, field, input])
}

function newestOf(outputs: readonly NodeOutput[]): NodeOutput | undefined {
  return outputs.reduce<NodeOutput | undefined>(
    (newest, output) => (newest === undefined || output.created_at > newest.created_at ? output : newest),
    undefined
  )
}
