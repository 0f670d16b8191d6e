import { useId, useState } from 'react'
import { chooseSender, isSetFor, senderOf } from '../../../../editor/senders/choose-sender.ts'
import { SENDERS, type Sender } from '../../../../editor/senders/senders.ts'
import { useEditor } from '../../editor-context.ts'
import fields from '../../fields/fields.module.css'
import type { NodePartProps } from '../../node-part.ts'
import classes from './sender-choice.module.css'
import { useWebhookEntry } from './use-webhook-entry.ts'

/** Who sends the requests. A choice fills the fields that say how the sender proves itself, and tells what to do at the sender. */
export function SenderChoice({ node, component, isReadOnly }: NodePartProps) {
  const editor = useEditor()
  const auth = useWebhookEntry(node.id)?.auth ?? 'API key'
  // Some senders are like any other by their fields, and are known only while the node is open.
  const [chosen, setChosen] = useState<Sender>()
  const isStill = chosen !== undefined && isSetFor(chosen, node, auth, component.fields)
  const sender = isStill ? chosen : senderOf(node, auth, component.fields)
  const id = useId()
  const choose = (name: string) => {
    const found = SENDERS.find((one) => one.name === name)
    setChosen(found)
    if (found !== undefined) editor.execute(chooseSender(node, found))
  }
  return (
    <div className={fields.field}>
      <label className={fields.label} htmlFor={id}>
        Sent by
      </label>
      <select
        id={id}
        className={`${fields.control} nodrag`}
        value={sender?.name ?? ''}
        disabled={isReadOnly}
        onChange={(event) => choose(event.target.value)}
      >
        <option value="">Another, as the fields below say</option>
        {SENDERS.map(({ name }) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
      {sender !== undefined && <AtSender sender={sender} />}
    </div>
  )
}

function AtSender({ sender: { name, secret, where, note } }: { readonly sender: Sender }) {
  return (
    <dl className={classes.sender} aria-label={`What to do at ${name}`}>
      {secret !== undefined && (
        <div>
          <dt>The secret there</dt>
          <dd>{secret}</dd>
        </div>
      )}
      <div>
        <dt>Where</dt>
        <dd>{where}</dd>
      </div>
      {note !== undefined && (
        <div data-note>
          <dt>Note</dt>
          <dd>{note}</dd>
        </div>
      )}
    </dl>
  )
}
