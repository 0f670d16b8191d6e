import { Button, Tabs } from '@mantine/core'
import { use, useState } from 'react'
import type { WebhookAuth } from '../../../../../src/flows/webhook-auth.ts'
import type { NewKey } from '../../../api/keys.ts'
import { EmptyState } from '../../../design/empty-state.tsx'
import { IconWebhook } from '../../../design/icons/canvas-icons.ts'
import { IconForms } from '../../../design/icons/component-icons.ts'
import type { Flow } from '../../../editor/graph/flow.ts'
import { FIRST_BODY } from '../../../editor/snippets/call-snippets.ts'
import { PauseNote } from '../../../flow-parts/pause-note.tsx'
import { useDrawnFlow, useEditor, useEditorState, useLiveFlow } from '../editor-context.ts'
import { LoadToolsContext } from '../lazy-tools.tsx'
import { askedOf, useSampleBody } from '../node-parts/webhook/use-call-target.ts'
import { useWebhookEntry } from '../node-parts/webhook/use-webhook-entry.ts'
import classes from './api-access.module.css'
import { CodeBlock } from './code-block.tsx'
import { FlowKey, type KeyPurpose } from './flow-key.tsx'
import { CALLS, type Call, type SnippetFacts, useSnippets } from './snippets.ts'

const PURPOSES: Readonly<Record<Call['needs'], KeyPurpose>> = {
  trigger: { right: 'trigger', description: 'may only start this flow' },
  read: { right: 'read', description: 'may only read this flow and its runs' }
}

/** How to call the flow from outside, as it is live: ready to be copied, with its address and a key of its own. */
export function ApiAccess() {
  const editor = useEditor()
  const loadTools = use(LoadToolsContext)
  const startedBy = (trigger: string) => (flow: Flow) =>
    flow.nodes.find((node) => node.disabled !== true && editor.component(node.type)?.trigger === trigger)?.id
  const webhook = useLiveFlow(startedBy('webhook'))
  const chat = useLiveFlow(startedBy('chat'))
  const slug = useLiveFlow((flow) => flow.slug)
  const form = useLiveFlow(startedBy('form'))
  const isReadOnly = useEditorState((state) => state.isReadOnly)
  const isDrawn = useDrawnFlow((flow) =>
    ['webhook', 'chat', 'form'].some((trigger) => startedBy(trigger)(flow) !== undefined)
  )
  if (webhook !== undefined) return <WebhookCalls webhook={webhook} />
  if (chat !== undefined) return <Calls isChat asked={askedOf(undefined)} body={FIRST_BODY} />
  if (form !== undefined) {
    return (
      <EmptyState icon={IconForms} title="This flow starts with a form">
        Its page is at <code>/form/{slug}</code>. Programs send the same fields there, with{' '}
        <code>Accept: application/json</code>.
      </EmptyState>
    )
  }
  if (isDrawn) {
    return (
      <EmptyState
        icon={IconWebhook}
        title="Not live yet"
        actions={
          isReadOnly ? undefined : (
            <Button onClick={() => loadTools().then((tools) => tools.showPublish(editor))}>Publish…</Button>
          )
        }
      >
        Publish the flow: then it has an address that others can call.
      </EmptyState>
    )
  }
  return (
    <EmptyState icon={IconWebhook} title="Nothing starts this flow from outside" help="webhooks">
      Add a Webhook node: it gives the flow an address that others can call. Or add a Chat Input, and others
      can talk to it.
    </EmptyState>
  )
}

function WebhookCalls({ webhook }: { readonly webhook: string }) {
  const asked = askedOf(useWebhookEntry(webhook, 'live'))
  return <Calls isChat={false} asked={asked} body={useSampleBody(webhook, 'live')} />
}

type StartFacts = Pick<SnippetFacts, 'isChat' | 'asked' | 'body'>

function Calls({ isChat, asked, body }: StartFacts) {
  const { auth } = asked
  const editor = useEditor()
  const name = useDrawnFlow((flow) => flow.name)
  const run = useEditorState((state) => state.run?.id)
  // Kept nowhere else: whoever closes the panel without copying the key makes another one.
  const [keys, setKeys] = useState<Readonly<Partial<Record<Call['needs'], NewKey>>>>({})
  const snippets = useSnippets({ isChat, asked, body, run, keys })
  return (
    <>
      <PauseNote flowId={editor.flowId} />
      <Tabs defaultValue={CALLS[0].id} keepMounted={false} classNames={{ list: classes.tabs! }}>
        <Tabs.List aria-label="Ways to call the flow">
          {CALLS.map(({ id, title }) => (
            <Tabs.Tab key={id} value={id}>
              {isChat && id === 'curl' ? 'Chat curl' : title}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {CALLS.map((call) => (
          <Tabs.Panel key={call.id} value={call.id} className={classes.panel!}>
            <p className={classes.note}>{call.help}</p>
            {asksForKey(call, auth) ? (
              <FlowKey
                flow={{ id: editor.flowId, name }}
                purpose={PURPOSES[call.needs]}
                made={keys[call.needs]}
                onMade={(made) => setKeys((before) => ({ ...before, [call.needs]: made }))}
              />
            ) : (
              <p className={classes.note}>{Object.hasOwn(WITHOUT_KEY, auth) && WITHOUT_KEY[auth]}</p>
            )}
            <CodeBlock
              code={snippets[call.id]}
              label={call.label}
              language={call.language}
              mark={keys[call.needs]?.key ?? 'MILLRACE_API_KEY'}
            />
          </Tabs.Panel>
        ))}
      </Tabs>
    </>
  )
}

function asksForKey({ needs }: Call, auth: WebhookAuth): boolean {
  return needs === 'read' || auth === 'API key'
}

const WITHOUT_KEY: Readonly<Record<WebhookAuth, string>> = {
  'API key': '',
  Signature: 'This endpoint asks for no key: the sender signs its requests with the signing secret.',
  Token: 'This endpoint asks for no key: the sender shows its own secret as a token.',
  Basic: 'This endpoint asks for no key: the sender shows its own name and password.',
  None: 'This endpoint asks for no key: anyone who knows the address can start the flow.'
}
