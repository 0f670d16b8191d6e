import type { Fault } from '../../../src/errors.ts'
import type { Flow } from '../editor/graph/flow.ts'
import type { Api } from './client.ts'
import { readEvents } from './read-events.ts'

interface AskedAssistant {
  readonly connection: string
  readonly model: string
  readonly words: string
  readonly document: Flow
  readonly run_id?: string | undefined
  readonly node?: string | undefined
  /** The model may see what went into runs, and what came out. */
  readonly data: boolean
  readonly before: readonly { readonly asked: string; readonly answered: string }[]
}

export interface AssistantEnd {
  readonly status: 'proposed' | 'answered' | 'failed'
  readonly text: string
  readonly proposal: {
    readonly document: Flow
    readonly summary: string
    readonly errors: readonly Fault[]
    readonly warnings: readonly Fault[]
  } | null
  readonly error: { readonly code: string; readonly message: string } | null
  readonly usage: {
    readonly calls: number
    readonly input_tokens: number
    readonly output_tokens: number
    readonly cost: number | null
  }
}

interface Listener {
  readonly doing: (what: string) => void
  readonly text: (piece: string) => void
  readonly restart: () => void
}

/** Lets a model propose changes; nothing is saved. Undefined where the stream broke off before its end. */
export async function askAssistant(
  api: Api,
  flow: string,
  asked: AskedAssistant,
  { listener, signal }: { readonly listener: Listener; readonly signal: AbortSignal }
): Promise<AssistantEnd | undefined> {
  const body = await api.stream(`flows/${flow}/assistant`, { body: asked, signal })
  for await (const { event, data } of readEvents(body)) {
    if (event === 'doing') listener.doing((data as { text: string }).text)
    else if (event === 'delta') listener.text((data as { text: string }).text)
    else if (event === 'restart') listener.restart()
    else if (event === 'end') return data as AssistantEnd
  }
  return undefined
}
