import { CopyButton } from '../../../../design/copy-button.tsx'
import { webhookCurl } from '../../../../editor/snippets/call-snippets.ts'
import { useEditor } from '../../editor-context.ts'
import type { FieldPartProps } from '../../node-part.ts'
import { wheelInside } from '../wheel-inside.ts'
import { useCallTarget, useSampleBody } from './use-call-target.ts'
import classes from './webhook-fields.module.css'

/** Beyond that the field scrolls. */
const MOST_ROWS = 12

/** The command that starts the flow. Until somebody edits it, it follows the flow: its address, auth and templates. */
export function CurlField(props: FieldPartProps) {
  const { node, name, value, onChange, isReadOnly, labelId, describedBy } = props
  const editor = useEditor()
  const byDefault = webhookCurl(useCallTarget(node.id), useSampleBody(node.id))
  const command = value === '' ? byDefault : String(value)
  const write = (text: string) => {
    if (text === byDefault || text === '') editor.resetField(node.id, name)
    else onChange(text)
  }
  return (
    <div className={classes.curl}>
      <textarea
        aria-labelledby={labelId}
        {...(describedBy === '' ? {} : { 'aria-describedby': describedBy })}
        className={`${classes.command} nodrag`}
        {...wheelInside}
        rows={Math.min(command.split('\n').length + 1, MOST_ROWS)}
        value={command}
        readOnly={isReadOnly}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => write(event.target.value)}
        // Whoever looks at it next begins where the command does.
        onBlur={(event) => event.currentTarget.scrollTo(0, 0)}
      />
      <div className={classes.copy}>
        <CopyButton text={command} label="Copy the curl command" />
      </div>
      {props.faultList}
    </div>
  )
}
