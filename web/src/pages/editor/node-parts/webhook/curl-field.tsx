import { IconArrowBackUp } from '@tabler/icons-react'
import { useId } from 'react'
import type { Field } from '../../../../../../src/flows/component.ts'
import { CopyButton } from '../../../../design/copy-button.tsx'
import { webhookCurl } from '../../../../editor/snippets/call-snippets.ts'
import type { NodePartProps } from '../../node-part.ts'
import { useCallTarget, useSampleBody } from './use-call-target.ts'
import classes from './webhook-body.module.css'

interface CurlFieldProps extends Pick<NodePartProps, 'node' | 'isReadOnly' | 'setField' | 'resetField'> {
  readonly field: Field
}

/** The command that starts the flow. Until somebody edits it, it follows the flow: its address, auth and templates. */
export function CurlField({ node, field, isReadOnly, setField, resetField }: CurlFieldProps) {
  const id = useId()
  const byDefault = webhookCurl(useCallTarget(node.id), useSampleBody(node.id))
  const edited = node.fields.curl
  const isEdited = typeof edited === 'string' && edited !== ''
  const command = isEdited ? edited : byDefault
  const write = (text: string) => {
    if (text === byDefault || text === '') resetField('curl')
    else setField('curl', text)
  }
  return (
    <div className={classes.curl}>
      <div className={classes.curlHead}>
        <label className={classes.label} htmlFor={id} title={field.help}>
          {field.title}
        </label>
        {isEdited && !isReadOnly && (
          <button
            type="button"
            className={`${classes.reset} nodrag`}
            aria-label="Reset curl to the default command"
            title="Reset to the default command"
            onClick={() => resetField('curl')}
          >
            <IconArrowBackUp size={14} aria-hidden />
          </button>
        )}
        <CopyButton text={command} label="Copy the curl command" />
      </div>
      <textarea
        id={id}
        className={`${classes.command} nodrag nowheel`}
        rows={Math.min(command.split('\n').length + 1, 12)}
        value={command}
        readOnly={isReadOnly}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => write(event.target.value)}
      />
    </div>
  )
}
