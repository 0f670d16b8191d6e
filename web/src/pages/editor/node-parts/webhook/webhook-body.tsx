import { CopyButton } from '../../../../design/copy-button.tsx'
import { IconEar } from '../../../../design/icons/editor-icons.ts'
import { IconAlertTriangle, IconPlayerStop, IconSend2 } from '../../../../design/icons/page-icons.ts'
import { useEditor, useLiveFlow } from '../../editor-context.ts'
import { NodeForm } from '../../fields/node-form.tsx'
import type { NodePartProps } from '../../node-part.ts'
import { useTesting } from '../../session/testing-context.ts'
import { FocusedPanel } from '../focused-panel.tsx'
import { LandedRequest } from './landed-request.tsx'
import { SenderChoice } from './sender-choice.tsx'
import { useWebhookEntry } from './use-webhook-entry.ts'
import classes from './webhook-body.module.css'
import { entryFacts } from './webhook-entry.ts'
import addresses from './webhook-fields.module.css'

/** What the sender has to be told stands first; who that is decides on the fields that follow. */
const isEndpoint = ([name]: NodePartProps['fields'][number]) => name === 'endpoint'

/** Where requests arrive: the address, what it asks of callers, a request to try it with, and an ear for the next. */
export function WebhookBody(props: NodePartProps) {
  const { node, fields } = props
  const entry = useWebhookEntry(node.id)
  return (
    <div className={classes.body}>
      <NodeForm node={node} fields={fields.filter(isEndpoint)} />
      <SenderChoice {...props} />
      <NodeForm node={node} fields={fields.filter((field) => !isEndpoint(field))} />
      <ul className={classes.facts} aria-label="What callers need to know">
        {(entry === undefined ? [] : entryFacts(entry)).map(({ text, isWarning }) => (
          <li key={text} data-warning={isWarning || undefined}>
            {isWarning && <IconAlertTriangle size={13} aria-hidden />}
            {text}
          </li>
        ))}
      </ul>
      <Trials />
    </div>
  )
}

function Trials() {
  const editor = useEditor()
  const { listening, openPayload } = useTesting()
  const { isArmed, landed, address } = listening
  const isLive = useLiveFlow(({ nodes }) => nodes.some(({ type }) => type === 'webhook'))
  return (
    <>
      <div className={classes.testButtons}>
        <button type="button" className={`${classes.testButton} nodrag`} onClick={openPayload}>
          <IconSend2 size={15} aria-hidden /> Edit the payload
        </button>
        <button
          type="button"
          className={`${classes.testButton} nodrag`}
          aria-pressed={isArmed}
          onClick={() => (isArmed ? listening.stop() : void listening.listen())}
        >
          {isArmed ? <IconPlayerStop size={15} aria-hidden /> : <IconEar size={15} aria-hidden />}
          {isArmed ? 'Stop' : 'Listen'}
        </button>
      </div>
      <p className={classes.listeningStatus} role="status">
        {isArmed && 'Listening: the next request lands here, and the draft runs on a copy of it.'}
      </p>
      {address !== undefined && (
        <div className={classes.testAddress}>
          <p>
            {isLive
              ? 'Send it to the address of the flow, or to this one, which tries the draft alone and asks for no key:'
              : 'The flow is not live yet. For an hour this address takes requests for the draft, and asks for no key:'}
          </p>
          <div className={addresses.address}>
            <output aria-label="Test address" title={address}>
              <span className={addresses.start}>{address}</span>
            </output>
            <CopyButton text={address} label="Copy the test address" />
          </div>
        </div>
      )}
      {landed !== undefined && (
        <LandedRequest
          run={landed}
          label="The request that landed"
          onClose={listening.stop}
          onOpenBeside={() =>
            editor.showPanel({
              id: `landed-${landed}`,
              title: 'Request',
              width: 420,
              content: (
                <FocusedPanel>
                  <LandedRequest run={landed} label="The request" />
                </FocusedPanel>
              )
            })
          }
        />
      )}
    </>
  )
}
