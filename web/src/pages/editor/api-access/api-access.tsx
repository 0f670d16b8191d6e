import { Tabs } from '@mantine/core'
import { useState } from 'react'
import type { WebhookAuth } from '../../../../../src/flows/webhook-auth.ts'
import type { NewKey } from '../../../api/keys.ts'
import { EmptyState } from '../../../design/empty-state.tsx'
import { IconWebhook } from '../../../design/icons/editor-icons.ts'
import { useDrawnFlow, useEditor, useEditorState } from '../editor-context.ts'
import { useSampleBody } from '../node-parts/webhook/use-call-target.ts'
import { useWebhookEntry } from '../node-parts/webhook/use-webhook-entry.ts'
import classes from './api-access.module.css'
import { CodeBlock } from './code-block.tsx'
import { FlowKey, type KeyPurpose } from './flow-key.tsx'
import { CALLS, type Call, useSnippets } from './snippets.ts'

const PURPOSES: Readonly<Record<Call['needs'], KeyPurpose>> = {
  trigger: { right: 'trigger', words: 'may only start this flow' },
  read: { right: 'read', words: 'may only read this flow and its runs' }
}

/** How to call the flow from outside: ready to be copied, with its address, its id and a key of its own. */
export function ApiAccess() {
  const editor = useEditor()
  const webhook = useDrawnFlow(
    (flow) => flow.nodes.find((node) => editor.component(node.type)?.trigger === 'webhook')?.id
  )
  if (webhook === undefined) {
    return (
      <EmptyState icon={IconWebhook} title="No Webhook in this flow">
        Add a Webhook node: it gives the flow an address that others can call.
      </EmptyState>
    )
  }
  return <Calls webhook={webhook} />
}

function Calls({ webhook }: { readonly webhook: string }) {
  const editor = useEditor()
  const name = useDrawnFlow((flow) => flow.name)
  const run = useEditorState((state) => state.run?.id)
  const { auth = 'API key', scheme = '' } = useWebhookEntry(webhook) ?? {}
  const body = useSampleBody(webhook)
  // Kept nowhere else: whoever closes the panel without copying the key makes another one.
  const [keys, setKeys] = useState<Readonly<Partial<Record<Call['needs'], NewKey>>>>({})
  const snippets = useSnippets({ auth, scheme, body, run, keys })
  return (
    <Tabs defaultValue={CALLS[0].id} keepMounted={false} classNames={{ list: classes.tabs! }}>
      <Tabs.List aria-label="Ways to call the flow">
        {CALLS.map(({ id, title }) => (
          <Tabs.Tab key={id} value={id}>
            {title}
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
            <p className={classes.note}>{WITHOUT_KEY[auth]}</p>
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
  )
}

function asksForKey({ needs }: Call, auth: WebhookAuth): boolean {
  return needs === 'read' || auth === 'API key'
}

const WITHOUT_KEY: Readonly<Record<WebhookAuth, string>> = {
  'API key': '',
  Signature: 'This endpoint asks for no key: the sender signs its requests with the signing secret.',
  None: 'This endpoint asks for no key: anyone who knows the address can start the flow.'
}
