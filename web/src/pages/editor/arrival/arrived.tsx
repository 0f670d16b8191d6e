import { Button } from '@mantine/core'
import { useMemo } from 'react'
import type { JsonValue } from '../../../../../src/flows/json/exact-json.ts'
import { arrivedKeys, typeOf } from '../../../editor/arrival/arrived-keys.ts'
import { type ArrivalOffer, offersFor } from '../../../editor/arrival/offers.ts'
import { type KnownSender, senderOfRequest } from '../../../editor/arrival/sender-of-request.ts'
import { chooseSender } from '../../../editor/senders/choose-sender.ts'
import { useAdding } from '../actions/use-adding.ts'
import { ComponentIcon } from '../components/component-icon.tsx'
import { useEditor, useEditorState } from '../editor-context.ts'
import classes from './arrival.module.css'
import { NearestTemplate } from './nearest-template.tsx'

interface ArrivedProps {
  readonly payload: JsonValue
  readonly headers: Readonly<Record<string, unknown>>
}

/** What came, key by key, and what can be done with it. */
export function Arrived({ payload, headers }: ArrivedProps) {
  const offers = useMemo(() => offersFor(payload), [payload])
  const sender = useMemo(() => senderOfRequest({ headers, payload }), [headers, payload])
  return (
    <>
      <Keys payload={payload} />
      {sender !== undefined && <SenderOffer known={sender} />}
      {offers.length > 0 && (
        <section aria-label="What fits">
          <h3 className={classes.title}>What fits</h3>
          <ul className={classes.offers}>
            {offers.map((offer) => (
              <li key={offer.type}>
                <Offered offer={offer} />
              </li>
            ))}
          </ul>
        </section>
      )}
      <NearestTemplate payload={payload} />
    </>
  )
}

function Keys({ payload }: { readonly payload: JsonValue }) {
  const keys = arrivedKeys(payload)
  if (keys.length === 0) return <p className={classes.text}>It came: {typeOf(payload)}, without keys.</p>
  return (
    <section className={classes.keys} aria-label="What came">
      <table>
        <thead>
          <tr>
            <th scope="col">Key</th>
            <th scope="col">Type</th>
            <th scope="col">Value</th>
          </tr>
        </thead>
        <tbody>
          {keys.map(({ path, type, shown }) => (
            <tr key={path}>
              <th scope="row">{path}</th>
              <td>{type}</td>
              <td>{shown}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function Offered({ offer: { type, fields, because } }: { readonly offer: ArrivalOffer }) {
  const editor = useEditor()
  const adding = useAdding()
  const facts = useEditorState(({ catalogue }) => catalogue.facts(type))
  const isReadOnly = useEditorState((state) => state.isReadOnly)
  if (facts === undefined) return null
  const add = () => {
    const webhook = editor.state().flow.nodes.find((node) => node.type === 'webhook')
    // It is about what came, and stands behind what is selected.
    if (webhook !== undefined) editor.goTo(webhook.id)
    adding.addInView({ facts, fields })
  }
  return (
    <>
      <Button
        variant="default"
        size="compact-md"
        disabled={isReadOnly}
        leftSection={<ComponentIcon name={facts.icon} size={16} />}
        onClick={add}
      >
        Add {facts.title}
      </Button>
      <p className={classes.because}>{because}</p>
    </>
  )
}

function SenderOffer({ known: { sender, by, isListed } }: { readonly known: KnownSender }) {
  const editor = useEditor()
  const webhook = useEditorState(({ flow }) => flow.nodes.find((node) => node.type === 'webhook'))
  const isReadOnly = useEditorState((state) => state.isReadOnly)
  if (webhook === undefined) return null
  const setUp = () => {
    editor.execute(chooseSender(webhook, sender))
    editor.goTo(webhook.id)
    // The secret is chosen there.
    editor.inspect('side')
  }
  return (
    <section aria-label="Who sent it">
      <h3 className={classes.title}>{isListed ? `${sender.name} sent it` : 'It is signed'}</h3>
      <p className={classes.text}>
        {isListed ? 'Told by' : 'A sender that is not in the list signs by'} <code>{by}</code>.{' '}
        {sender.secret !== undefined && isListed && `The secret is called ${sender.secret} there. `}
        {sender.where}
      </p>
      {sender.note !== undefined && <p className={classes.text}>{sender.note}</p>}
      <Button variant="default" size="compact-md" mt="xs" disabled={isReadOnly} onClick={setUp}>
        {isListed ? `Let in only ${sender.name}` : 'Ask for this signature'}
      </Button>
    </section>
  )
}
