import { Select, Stack, Textarea, TextInput } from '@mantine/core'
import { useContexts } from '../../../api/contexts.ts'
import type { FlowChanges } from '../../../editor/commands/command.ts'
import { FlowAddress } from '../../../flow-parts/flow-address.tsx'
import { FlowRunning } from '../../../flow-parts/flow-running.tsx'
import { useDrawnFlow, useEditor, useEditorState } from '../editor-context.ts'

/** What a flow is called, where it is called from, and where it lives. */
export function FlowSettings() {
  const editor = useEditor()
  const isReadOnly = useEditorState((state) => state.isReadOnly)
  const faults = useEditorState((state) => state.faults.ofFlow)
  const [name, description, context] = [
    useDrawnFlow((flow) => flow.name),
    useDrawnFlow((flow) => flow.description ?? ''),
    useDrawnFlow((flow) => flow.context)
  ]
  const { data: contexts = [] } = useContexts()
  const paths = [...new Set([context, ...contexts.map(({ path }) => path)])]
  const change = (changes: FlowChanges) => editor.execute({ kind: 'change-flow', changes })
  const faultOf = (member: string) => faults.find(({ path }) => path === `/${member}`)?.message
  return (
    <Stack>
      <TextInput
        label="Name"
        value={name}
        error={faultOf('name')}
        readOnly={isReadOnly}
        maxLength={200}
        onChange={(event) => change({ name: event.target.value })}
      />
      <FlowAddress flowId={editor.flowId} />
      <FlowRunning flowId={editor.flowId} />
      <Textarea
        label="Description"
        value={description}
        readOnly={isReadOnly}
        autosize
        minRows={3}
        maxRows={12}
        maxLength={10_000}
        onChange={(event) => change({ description: event.target.value === '' ? null : event.target.value })}
      />
      <Select
        label="Context"
        description="It decides which components, variables and hooks the flow sees."
        value={context}
        error={faultOf('context')}
        disabled={isReadOnly}
        data={paths}
        allowDeselect={false}
        searchable
        onChange={(path) => path !== null && change({ context: path })}
      />
    </Stack>
  )
}
