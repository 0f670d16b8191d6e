import { Button } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { isBySecret } from '../../../../../src/flows/webhook-auth.ts'
import { useApi } from '../../../api/api-context.ts'
import { useRun } from '../../../api/runs.ts'
import { type LastStart, readLastStart } from '../../../api/tests.ts'
import { sendAsSender, sendToWebhook } from '../../../api/webhook.ts'
import { IconHistory } from '../../../design/icons/editor-icons.ts'
import { IconFlask, IconSend2 } from '../../../design/icons/page-icons.ts'
import { LoadingState } from '../../../design/loading-state.tsx'
import { ProblemNote } from '../../../design/problem-note.tsx'
import { StateBadge } from '../../../design/state-badge.tsx'
import { equalJson } from '../../../editor/graph/equal-json.ts'
import { findNode } from '../../../editor/graph/flow.ts'
import { PayloadEditor } from '../../../file-parts/payload-editor.tsx'
import { KeyCaps } from '../../../shell/key-caps.tsx'
import { type EditorState, useDrawnFlow, useEditor, useEditorState, useLiveFlow } from '../editor-context.ts'
import { FocusedPanel } from '../node-parts/focused-panel.tsx'
import { useWebhookEntry } from '../node-parts/webhook/use-webhook-entry.ts'
import type { WebhookEntry } from '../node-parts/webhook/webhook-entry.ts'
import { rememberedBody } from '../session/remembered-body.ts'
import { useTesting } from '../session/testing-context.ts'
import classes from './payload-panel.module.css'
import { isJson, payloadIn, textOfPayload } from './payload-text.ts'
import { sampleFor } from './sample-for.ts'
import { TestAnswer } from './test-answer.tsx'
import { startOf, webhookOf } from './webhook-of.ts'

/** What the flow is tested with. It begins with what was written last, else with the last payload, else with a sample. */
export function PayloadPanel() {
  const api = useApi()
  const { flowId } = useEditor()
  const start = useDrawnFlow(startOf)
  const last = useQuery({
    queryKey: ['last-start', flowId, start ?? null],
    queryFn: () => readLastStart(api, flowId, start),
    staleTime: 0,
    gcTime: 0
  })
  if (last.isPending) return <LoadingState rows={4} />
  return <Payload start={start} last={last.data ?? undefined} />
}

interface PayloadProps {
  /** The node that it is the payload of. */
  readonly start: string | undefined
  readonly last: LastStart | undefined
}

function Payload({ start, last }: PayloadProps) {
  const editor = useEditor()
  const testing = useTesting()
  const liveWebhook = useLiveFlow(webhookOf)
  const remembered = rememberedBody(window.sessionStorage, editor.flowId)
  const lastText = last === undefined ? undefined : textOfPayload(last.payload)
  const [body, setBody] = useState(() => remembered.read() ?? lastText ?? sampleIn(editor.state(), start))
  const [tested, setTested] = useState<string | undefined>()
  const write = (text: string) => {
    setBody(text)
    if (text === lastText) remembered.forget()
    else remembered.write(text)
  }
  const test = async () => {
    remembered.write(body)
    const copied = last === undefined ? {} : { run_id: last.run }
    setTested(await testing.test({ input: payloadIn(body), ...copied }, testing.upTo))
  }
  const onKeyDown = (event: React.KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.metaKey || event.ctrlKey)) return
    event.preventDefault()
    // The editor would begin a new line with it.
    event.stopPropagation()
    void test()
  }
  return (
    <FocusedPanel onKeyDownCapture={onKeyDown}>
      <div className={classes.panel}>
        <PayloadEditor value={body} onChange={write} label="Body of the test request" height={176} />
        <div className={classes.side}>
          <div className={classes.actions}>
            <Button
              leftSection={<IconFlask size={16} aria-hidden />}
              loading={testing.isBusy}
              onClick={() => void test()}
            >
              {testing.upTo === undefined ? 'Test' : `Test up to ${titleIn(editor.state(), testing.upTo)}`}
            </Button>
            <KeyCaps keys="mod+enter" />
            {lastText !== undefined && lastText !== body && (
              <Button
                variant="subtle"
                leftSection={<IconHistory size={16} aria-hidden />}
                onClick={() => write(lastText)}
              >
                Last payload
              </Button>
            )}
          </div>
          {!isJson(body) && (
            <p className={classes.hint}>
              This is not JSON, so it arrives as text: <code>{'{"payload": "…"}'}</code>
            </p>
          )}
          <div role="status">{tested !== undefined && <TestedRun run={tested} />}</div>
          {liveWebhook !== undefined && <LiveRequest webhook={liveWebhook} body={body} />}
        </div>
      </div>
    </FocusedPanel>
  )
}

function sampleIn({ flow, catalogue }: EditorState, start: string | undefined): string {
  return sampleFor(flow, catalogue, start)
}

function titleIn({ flow, catalogue }: EditorState, id: string): string {
  const node = findNode(flow, id)
  return node?.title ?? catalogue.facts(node?.type ?? '')?.title ?? id
}

/** Of the run that the canvas shows: two states side by side would contradict each other. It follows the run by itself, by live events. */
function TestedRun({ run: id }: { readonly run: string }) {
  const editor = useEditor()
  const { data: run } = useRun(id)
  const shown = useEditorState((state) => state.run?.id)
  if (shown !== undefined && shown !== id) {
    return (
      <p className={classes.hint}>
        The canvas shows another run by now.{' '}
        <button type="button" className={classes.show} onClick={() => editor.showRun(id)}>
          Show this test
        </button>
      </p>
    )
  }
  return (
    <>
      <p className={classes.line}>
        {run !== undefined && <StateBadge state={run.status} />}
        <Link to={`/runs/${id}`}>
          Run <code>{id}</code>
        </Link>
      </p>
      {run?.error != null && <p className={classes.failed}>{run.error.message}</p>}
    </>
  )
}

/**
 * Sends the payload to the address that callers use: that is not a test, and runs the version that is live. Who is let in there
 * is said by the Webhook of that version, whatever is drawn.
 */
function LiveRequest({ webhook, body }: { readonly webhook: string; readonly body: string }) {
  const api = useApi()
  const editor = useEditor()
  const entry = useWebhookEntry(webhook, 'live')
  const send = useMutation({
    mutationFn: async () => {
      const { slug } = editor.state().live.document
      const answer =
        entry !== undefined && isBySecret(entry.auth)
          ? await sendAsSender(api, editor.flowId, body)
          : await sendToWebhook(api, { flow: slug, methods: entry?.methods ?? [], body })
      const { flow, live } = editor.state()
      return { answer, isAsDrawn: equalJson(flow, live.document) }
    }
  })
  return (
    <>
      <div className={classes.actions}>
        <Button
          variant="default"
          size="compact-sm"
          leftSection={<IconSend2 size={14} aria-hidden />}
          loading={send.isPending}
          onClick={() => send.mutate()}
        >
          Send to the live address
        </Button>
      </div>
      <ProofHint entry={entry} />
      {send.error !== null && <ProblemNote error={send.error} />}
      <div role="status">{send.data !== undefined && <TestAnswer {...send.data} entry={entry} />}</div>
    </>
  )
}

/** A sender that proves itself by a secret is played by the service; any other is let in by the session. */
function ProofHint({ entry }: { readonly entry: WebhookEntry | undefined }) {
  if (entry === undefined || !isBySecret(entry.auth) || (entry.secret === '' && entry.sender === ''))
    return null
  return <p className={classes.hint}>{proofWords(entry)}</p>
}

function proofWords({ auth, scheme }: WebhookEntry): string {
  if (auth === 'Token') return 'It is sent with the token, as the sender would.'
  if (auth === 'Basic') return 'It is sent with the name and the password, as the sender would.'
  return scheme === 'SendGrid'
    ? 'Nobody but SendGrid can sign it, so it will be refused: its key is public.'
    : `It is signed as the sender would: ${scheme}.`
}
