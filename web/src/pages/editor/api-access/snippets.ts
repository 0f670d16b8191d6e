import { useApi } from '../../../api/api-context.ts'
import type { NewKey } from '../../../api/keys.ts'
import {
  javaScriptCall,
  pythonCall,
  statusCurl,
  webhookCurl
} from '../../../editor/snippets/call-snippets.ts'
import { useLiveFlow } from '../editor-context.ts'
import type { askedOf } from '../node-parts/webhook/use-call-target.ts'

export interface Call {
  readonly id: 'curl' | 'javascript' | 'python' | 'status'
  readonly title: string
  /** What is copied: "curl command". */
  readonly label: string
  readonly language: string
  readonly help: string
  /** The right that its key has to have. */
  readonly needs: 'trigger' | 'read'
}

export const CALLS = [
  {
    id: 'curl',
    title: 'Webhook curl',
    label: 'curl command',
    language: 'Shell',
    help: 'Starts the flow and is answered at once, with the id of the run.',
    needs: 'trigger'
  },
  {
    id: 'javascript',
    title: 'JavaScript',
    label: 'JavaScript',
    language: 'JavaScript',
    help: 'For Node, Deno and Bun; nothing has to be installed.',
    needs: 'trigger'
  },
  {
    id: 'python',
    title: 'Python',
    label: 'Python',
    language: 'Python',
    help: 'For Python 3; nothing has to be installed.',
    needs: 'trigger'
  },
  {
    id: 'status',
    title: 'Run status',
    label: 'status call',
    language: 'Shell',
    help: 'Shows how a run is going: its status, its steps with their outputs, and what went wrong.',
    needs: 'read'
  }
] as const satisfies readonly Call[]

/** How the flow is started from outside. */
export interface SnippetFacts {
  /** By a turn of a chat: it has no Webhook. */
  readonly isChat: boolean
  /** What callers send besides the body. */
  readonly asked: ReturnType<typeof askedOf>
  readonly body: string
  /** The run that is asked for; without one, a variable stands in its place. */
  readonly run: string | undefined
  readonly keys: Readonly<Partial<Record<Call['needs'], NewKey>>>
}

/** With the slug of the flow, as everywhere: when it is changed, what was copied from here keeps working by the alias. */
export function useSnippets({
  isChat,
  asked,
  body,
  run,
  keys
}: SnippetFacts): Readonly<Record<Call['id'], string>> {
  const { base } = useApi()
  const flow = useLiveFlow(({ slug }) => slug)
  const target = (needs: Call['needs']) => {
    const key = keys[needs]?.key
    return { address: base, flow, isChat, ...asked, ...(key === undefined ? {} : { key }) }
  }
  return {
    curl: webhookCurl(target('trigger'), body),
    javascript: javaScriptCall(target('trigger'), body),
    python: pythonCall(target('trigger'), body),
    status: statusCurl(target('read'), run)
  }
}
