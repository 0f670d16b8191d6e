import { IconClipboard, IconListTree } from '../../../../design/icons/editor-icons.ts'
import { notifyDone } from '../../../../design/notify.tsx'
import { curlFields } from '../../../../editor/curl/curl-fields.ts'
import { curlSignIn } from '../../../../editor/curl/curl-sign-in.ts'
import { fillByCurl } from '../../../../editor/curl/fill-by-curl.ts'
import { readCurl } from '../../../../editor/curl/read-curl.ts'
import { useEditor } from '../../editor-context.ts'
import { NodeForm } from '../../fields/node-form.tsx'
import type { NodePartProps } from '../../node-part.ts'
import classes from './api-request.module.css'
import { showLastAnswer, showPasteCurl } from './show-panels.tsx'

/** The fields of the request, a quick way to fill them, and what came back. */
export function ApiRequestBody({ node, fields, isReadOnly }: NodePartProps) {
  const editor = useEditor()
  /** Wherever it is pasted. One that shows who sends it is looked at first: its secret goes into a connection. */
  const onPaste = (event: React.ClipboardEvent) => {
    const text = event.clipboardData.getData('text/plain')
    const reading = /^\s*curl\s/.test(text) ? readCurl(text) : undefined
    if (isReadOnly || reading === undefined || reading.message !== undefined) return
    event.preventDefault()
    event.stopPropagation()
    const curl = curlFields(reading.request)
    if (curlSignIn(reading.request) !== undefined || curl.notices.length > 0) {
      showPasteCurl(editor, node, text)
      return
    }
    editor.execute(fillByCurl(node, curl))
    notifyDone('The node is filled.')
  }
  return (
    <div className={classes.body} onPasteCapture={onPaste}>
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
