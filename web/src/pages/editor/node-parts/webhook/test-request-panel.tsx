import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { parseJson, writeJson } from '../../../../../../src/flows/exact-json.ts'
import { useApi } from '../../../../api/api-context.ts'
import { useNodeOutput } from '../../../../api/node-output.ts'
import { sendToWebhook } from '../../../../api/webhook.ts'
import { IconHistory } from '../../../../design/icons/editor-icons.ts'
import { IconSend2 } from '../../../../design/icons/page-icons.ts'
import { JsonEditor } from '../../../../design/json-editor/json-editor.tsx'
import { LoadingState } from '../../../../design/loading-state.tsx'
import { equalJson } from '../../../../editor/graph/equal-json.ts'
import { webhookAddress } from '../../../../editor/snippets/call-snippets.ts'
import { KeyCaps } from '../../../../shell/key-caps.tsx'
import { useEditor } from '../../editor-context.ts'
import { whenSaved } from '../../save/when-saved.ts'
import { useSaving } from '../../session/saving-context.ts'
import { FocusedPanel } from '../focused-panel.tsx'
import { rememberedBody } from './remembered-body.ts'
import { canSign, signRequest } from './sign-request.ts'
import { TestAnswer } from './test-answer.tsx'
import classes from './test-request-panel.module.css'
import { useCallTarget, useSampleBody } from './use-call-target.ts'
import { useWebhookEntry } from './use-webhook-entry.ts'
import type { WebhookEntry } from './webhook-entry.ts'

/** Sends a real request to the flow's endpoint, with a body that can be edited. */
export function TestRequestPanel({ node }: { readonly node: string }) {
  const { flowId } = useEditor()
  const remembered = rememberedBody(window.sessionStorage, flowId)
  const last = useNodeOutput(flowId, node)
  const sample = useSampleBody(node)
  if (last.isPending) return <LoadingState rows={4} />
  const payload = last.data == null ? undefined : bodyOf(last.data.outputs.data)
  return (
    <TestRequest node={node} initial={remembered.read() ?? payload ?? pretty(sample)} lastPayload={payload} />
  )
}

interface TestRequestProps {
  readonly node: string
  readonly initial: string
  readonly lastPayload: string | undefined
}

function TestRequest({ node, initial, lastPayload }: TestRequestProps) {
  const api = useApi()
  const editor = useEditor()
  const saving = useSaving()
  const { flowId } = editor
  const target = useCallTarget(node)
  const entry = useWebhookEntry(node)
  const [body, setBody] = useState(initial)
  const send = useMutation({
    mutationFn: async () => {
      await whenSaved(editor, saving)
      const answer = await sendToWebhook(api, { flow: flowId, body, headers: await headersFor(entry, body) })
      const { flow, live } = editor.state()
      return { answer, isAsDrawn: equalJson(flow, live.document) }
    }
  })
  const write = (text: string) => {
    setBody(text)
    rememberedBody(window.sessionStorage, flowId).write(text)
  }
  const onKeyDown = (event: React.KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.metaKey || event.ctrlKey)) return
    event.preventDefault()
    // The editor would begin a new line with it.
    event.stopPropagation()
    if (!send.isPending) send.mutate()
  }
  return (
    <FocusedPanel onKeyDownCapture={onKeyDown}>
      <div className={classes.panel}>
        <p className={classes.line}>
          <span className={classes.method}>POST</span> <code>{webhookAddress(target)}</code>
        </p>
        <JsonEditor value={body} onChange={write} label="Body of the test request" height={220} />
        <BodyHint body={body} entry={entry} />
        <div className={classes.actions}>
          <Button
            leftSection={<IconSend2 size={16} aria-hidden />}
            loading={send.isPending}
            onClick={() => send.mutate()}
          >
            Send
          </Button>
          <KeyCaps keys="mod+enter" />
          {lastPayload !== undefined && lastPayload !== body && (
            <Button
              variant="subtle"
              className={classes.last!}
              leftSection={<IconHistory size={16} aria-hidden />}
              onClick={() => write(lastPayload)}
            >
              Last payload
            </Button>
          )}
        </div>
        <div role="status">{send.data !== undefined && <TestAnswer {...send.data} entry={entry} />}</div>
      </div>
    </FocusedPanel>
  )
}

/** A sender that signs is played by the page; any other is let in by the session. */
async function headersFor(entry: WebhookEntry | undefined, body: string) {
  if (entry?.auth !== 'Signature' || entry.secret === '' || entry.sender !== '' || !canSign()) return {}
  const { scheme, secret } = entry
  return signRequest({ scheme, secret, body, id: `msg_${Date.now()}`, now: Date.now() })
}

function BodyHint({ body, entry }: { readonly body: string; readonly entry: WebhookEntry | undefined }) {
  if (!isJson(body)) {
    return (
      <p className={classes.hint}>
        This is no JSON, so it arrives as text: <code>{'{"payload": "…"}'}</code>
      </p>
    )
  }
  if (entry?.auth === 'Signature' && entry.sender !== '') {
    return (
      <p className={classes.hint}>
        The secret is in the connection “{entry.sender}”, which no page can read: this request is not signed.
      </p>
    )
  }
  if (entry?.auth === 'Signature' && entry.secret !== '') {
    return (
      <p className={classes.hint}>
        {canSign()
          ? `The page signs it as the sender would: ${entry.scheme}.`
          : 'The browser signs on secure pages only. Open Millrace over https, or on the machine it runs on.'}
      </p>
    )
  }
  return null
}

function isJson(text: string): boolean {
  try {
    parseJson(text)
    return true
  } catch {
    return false
  }
}

function bodyOf(payload: unknown): string | undefined {
  return payload === undefined ? undefined : writeJson(payload, 2)
}

function pretty(body: string): string {
  return isJson(body) ? writeJson(parseJson(body), 2) : body
}
