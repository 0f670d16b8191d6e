import { NativeSelect, NumberInput } from '@mantine/core'
import { routeErrors } from '../../../editor/commands/route-errors.ts'
import type { Node } from '../../../editor/graph/flow.ts'
import { useEditor, useEditorState } from '../editor-context.ts'
import classes from './part.module.css'

type Retry = NonNullable<Node['retry']>

/** How often a step is tried, how long it waits in between, how long it may take, and what comes of its failure. */
export function NodeFailureSettings({ node }: { readonly node: Node }) {
  const editor = useEditor()
  const isReadOnly = useEditorState((state) => state.isReadOnly)
  const isTrigger = editor.component(node.type)?.trigger != null
  const hasErrorOutput = node.on_error === 'output'
  const setRetry = (name: keyof Retry, value: number | undefined) => {
    const { [name]: _, ...others } = node.retry ?? {}
    const retry = value === undefined ? others : { ...others, [name]: value }
    const changes = { retry: Object.keys(retry).length === 0 ? null : retry }
    editor.execute({ kind: 'change-node', node: node.id, changes })
  }
  const shared = {
    size: 'xs',
    hideControls: true,
    allowDecimal: false,
    readOnly: isReadOnly,
    placeholder: 'default'
  }
  return (
    <div className={classes.failureSettings}>
      <NumberInput
        {...shared}
        label="Attempts"
        min={1}
        max={100}
        value={node.retry?.attempts ?? ''}
        onChange={(value) => setRetry('attempts', numberOr(value))}
      />
      <NumberInput
        {...shared}
        label="Wait, ms"
        min={0}
        max={86_400_000}
        value={node.retry?.backoff_ms ?? ''}
        onChange={(value) => setRetry('backoff_ms', numberOr(value))}
      />
      <NumberInput
        {...shared}
        label="Longest wait, ms"
        min={0}
        max={86_400_000}
        value={node.retry?.max_backoff_ms ?? ''}
        onChange={(value) => setRetry('max_backoff_ms', numberOr(value))}
      />
      <NumberInput
        {...shared}
        label="Time allowed, ms"
        min={1}
        max={86_400_000}
        value={node.timeout_ms ?? ''}
        onChange={(value) =>
          editor.execute({
            kind: 'change-node',
            node: node.id,
            changes: { timeout_ms: numberOr(value) ?? null }
          })
        }
      />
      {!isTrigger && (
        <NativeSelect
          size="xs"
          className={classes.wide!}
          label="After the last attempt"
          description={
            hasErrorOutput
              ? 'The run continues, and code, message, node and attempts leave at the output Error.'
              : 'The run fails.'
          }
          disabled={isReadOnly}
          value={hasErrorOutput ? 'output' : 'fail'}
          data={[
            { value: 'fail', label: 'Fail the run' },
            { value: 'output', label: 'Continue at the output Error' }
          ]}
          onChange={({ target }) =>
            editor.execute(routeErrors(editor.state().flow, node.id, target.value === 'output'))
          }
        />
      )}
    </div>
  )
}

function numberOr(value: number | string): number | undefined {
  return typeof value === 'number' ? value : undefined
}
