import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { JsonValue } from '../../../../../src/flows/json/exact-json.ts'
import { useEditor, useEditorState } from '../editor-context.ts'
import classes from './arrival.module.css'

/** The worked flow that begins with much the same; it takes the place of what is drawn, which can be undone. */
export function NearestTemplate({ payload }: { readonly payload: JsonValue }) {
  const editor = useEditor()
  const isReadOnly = useEditorState((state) => state.isReadOnly)
  // Loaded for whoever looks at a payload, and for nobody else.
  const { data: nearest } = useQuery({
    queryKey: ['template-gallery'],
    queryFn: async () => (await import('./nearest-of-gallery.ts')).nearestOfGallery,
    staleTime: Number.POSITIVE_INFINITY,
    structuralSharing: false
  })
  const template = nearest?.(payload)
  if (template === undefined) return null
  const use = () => {
    const { nodes, edges } = template.document
    const { flow } = editor.state()
    const document = { ...flow, nodes: nodes as typeof flow.nodes, edges: edges as typeof flow.edges }
    editor.execute({ kind: 'replace', document, label: `Begin with ${template.title}` })
  }
  return (
    <section aria-label="The nearest template">
      <h3 className={classes.title}>The nearest template</h3>
      <p className={classes.text}>
        <strong>{template.title}</strong>: {template.summary}
      </p>
      <Button variant="default" size="compact-md" mt="xs" disabled={isReadOnly} onClick={use}>
        Begin with it
      </Button>
    </section>
  )
}
