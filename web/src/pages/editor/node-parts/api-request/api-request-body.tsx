import { IconClipboard, IconListTree } from '../../../../design/icons/editor-icons.ts'
import { useEditor } from '../../editor-context.ts'
import { NodeForm } from '../../fields/node-form.tsx'
import type { NodePartProps } from '../../node-part.ts'
import classes from './api-request.module.css'
import { showLastAnswer, showPasteCurl } from './show-panels.tsx'

/** The fields of the request, a quick way to fill them, and what came back. */
export function ApiRequestBody({ node, fields, isReadOnly }: NodePartProps) {
  const editor = useEditor()
  return (
    <div className={classes.body}>
      <NodeForm node={node} fields={fields} />
      <div className={classes.actions}>
        {!isReadOnly && (
          <button
            type="button"
            className={`${classes.action} nodrag`}
            onClick={() => showPasteCurl(editor, node)}
          >
            <IconClipboard size={15} aria-hidden /> Paste curl
          </button>
        )}
        <button
          type="button"
          className={`${classes.action} nodrag`}
          onClick={() => showLastAnswer(editor, node)}
        >
          <IconListTree size={15} aria-hidden /> Last answer
        </button>
      </div>
    </div>
  )
}
