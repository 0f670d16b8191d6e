import { Button, Skeleton } from '@mantine/core'
import { useRef, useState } from 'react'
import type { Field } from '../../../../../../src/flows/component/component.ts'
import { EmptyState } from '../../../../design/empty-state.tsx'
import { IconPlugConnected } from '../../../../design/icons/editor-icons.ts'
import { IconSend2 } from '../../../../design/icons/page-icons.ts'
import { notifyRefusal } from '../../../../design/notify.tsx'
import { type Flow, findNode, type Node } from '../../../../editor/graph/flow.ts'
import type { ValuePath } from '../../../../editor/template/template-path.ts'
import { type Editor, useDrawnFlow, useEditor, useEditorState } from '../../editor-context.ts'
import { fieldValue } from '../../fields/field-value.ts'
import { useWriting } from '../../fields/use-writing.ts'
import { useTesting } from '../../session/testing-context.ts'
import { useDeclared } from '../use-declared.ts'
import { useTemplateVariables } from '../use-template-variables.ts'
import type { TemplateHand } from './code-mirror-template.tsx'
import { ColouredTemplate } from './coloured-template.tsx'
import { PayloadTree } from './payload-tree.tsx'
import { TemplateEditor } from './template-editor.tsx'
import { TemplateFaults } from './template-faults.tsx'
import classes from './template-field.module.css'
import { PreviewOrigin, TemplatePreview } from './template-preview.tsx'
import { feedingNodes } from './template-source.ts'
import { type TemplateSample, useTemplateSample } from './use-template-sample.ts'

interface TemplatePanelProps {
  readonly node: string
  readonly field: string
}

/** A template with room: the editor, what comes of it, and the payload whose keys go into it. */
export function TemplatePanel({ node: id, field: name }: TemplatePanelProps) {
  const editor = useEditor()
  const node = useDrawnFlow((flow) => findNode(flow, id))
  const field = node === undefined ? undefined : editor.component(node.type)?.fields[name]
  if (node === undefined || field === undefined) {
    return (
      <EmptyState icon={IconPlugConnected} title="The node is gone">
        Undo brings it back.
      </EmptyState>
    )
  }
  return <TemplateBench node={node} name={name} field={field} />
}

interface TemplateBenchProps {
  readonly node: Node
  readonly name: string
  readonly field: Field
}

function TemplateBench({ node, name, field }: TemplateBenchProps) {
  const editor = useEditor()
  const isReadOnly = useEditorState((state) => state.isReadOnly)
  const variables = useTemplateVariables(node.id)
  const sample = useTemplateSample({ node: node.id, field: name, isAsking: true })
  const hand = useRef<TemplateHand>(undefined)
  const [isWriting, setWriting] = useState(false)
  const { onWrite, around } = useWriting(node.id, field.kind)
  const value = String(fieldValue(node, name, field))
  const scope = { data: sample.data, variables, declared: useDeclared(node.id) }
  const insert = (path: ValuePath) => {
    const refusal = sample.data === undefined ? undefined : hand.current?.insert(path, sample.data)
    if (refusal !== undefined) notifyRefusal('The key was not inserted', refusal)
  }
  return (
    <div className={classes.editor} {...around}>
      {isReadOnly ? (
        <pre className={classes.staticTemplate}>
          <ColouredTemplate source={value} />
        </pre>
      ) : (
        <TemplateEditor
          value={value}
          onChange={(template) => {
            onWrite()
            editor.setField(node.id, name, template)
          }}
          label={field.title}
          scope={scope}
          height={140}
          caret="end"
          onReady={(ready) => {
            hand.current = ready
          }}
          onWriting={setWriting}
          fallback={<Skeleton height={140} role="status" aria-label="Loading the editor" />}
        />
      )}
      <TemplateFaults template={value} scope={scope} isWriting={isWriting} />
      <TemplatePreview
        node={node}
        template={{ name, value }}
        sample={sample}
        variables={variables}
        isWriting={isWriting}
      />
      <Payload sample={sample} {...(isReadOnly ? {} : { onInsert: insert })} />
    </div>
  )
}

interface PayloadProps {
  readonly sample: TemplateSample
  readonly onInsert?: (path: ValuePath) => void
}

function Payload({ sample, onInsert }: PayloadProps) {
  if (sample.data === undefined) return <NoPayload sample={sample} />
  return (
    <div className={classes.payload}>
      <div className={classes.previewHead}>
        <h3 className={classes.previewTitle}>Payload</h3>
        <PreviewOrigin sample={sample} />
      </div>
      {onInsert !== undefined && (
        <p className={classes.hint}>Drag a key into the template, or press Enter on it.</p>
      )}
      <PayloadTree value={sample.data} label="Payload" {...(onInsert === undefined ? {} : { onInsert })} />
    </div>
  )
}

function NoPayload({ sample }: { readonly sample: TemplateSample }) {
  const editor = useEditor()
  const testing = useTesting()
  const webhook = useDrawnFlow((flow) => webhookOf(flow, editor))
  if (feedingNodes(sample.source).length === 0) {
    return (
      <EmptyState
        icon={IconPlugConnected}
        title="Nothing is wired to this node"
        help="build-flows#wires-branches-and-errors"
      >
        Connect an output to its input. Its value fills the template.
      </EmptyState>
    )
  }
  return (
    <EmptyState
      icon={IconSend2}
      title="No payload yet"
      help="templates"
      actions={
        webhook === undefined ? undefined : (
          <Button variant="default" onClick={testing.openPayload}>
            Write one, and test
          </Button>
        )
      }
    >
      After the first request its keys appear here, for completion and preview.
    </EmptyState>
  )
}

function webhookOf(flow: Flow, editor: Editor): string | undefined {
  return flow.nodes.find((node) => editor.component(node.type)?.trigger === 'webhook')?.id
}
