import { createHash } from 'node:crypto'
import { type Plan, PlanError, planFlow } from '../engine/plan.ts'
import { printedWhileTold, type StreamedHead, streamedAnswers } from '../engine/streamed-inputs.ts'
import type { Fault } from '../errors.ts'
import type { Catalogue } from '../flows/component/catalogue.ts'
import type { FlowDocument } from '../flows/document/flow-document.ts'
import { storedDocument } from '../flows/json/document-json.ts'
import { flowWarnings } from '../flows/validate/flow-warnings.ts'
import type { Pause } from '../store/flow-standing.ts'
import type { StoredFlow } from '../store/store.ts'
import { type ChatEntry, chatEntry } from './chat-entry.ts'
import { type FormEntry, formEntry } from './form-entry.ts'
import { startsOn } from './start-nodes.ts'
import { type EntryDefaults, type WebhookEntry, webhookEntry } from './webhook-entry.ts'

/** Contexts may be many, and a library's flow is called from all of them. */
const MOST_ELSEWHERE = 100

/** A flow at its live version, read once and kept in memory: a webhook costs no query to find its flow. */
export class LiveFlow {
  readonly id: string
  readonly slug: string
  readonly context: string
  readonly version: number
  readonly document: FlowDocument
  /** Of the document, in characters. */
  readonly size: number
  readonly createdAt: number
  readonly updatedAt: number
  readonly paused: Pause | null
  /** Its triggers make up for nothing that came earlier. */
  readonly triggersFrom: number | null
  /** What made this version; null where that is not known. */
  readonly origin: StoredFlow['origin']
  /** Former slugs that it still answers to. */
  readonly aliases: readonly string[]
  readonly #catalogue: Catalogue
  readonly #defaults: EntryDefaults
  /** Tells the text of the document from others: to write the largest again takes long. */
  readonly #digest: string
  #plan: Plan | undefined
  #streamedAnswers: ReadonlyMap<string, StreamedHead> | undefined
  #printedWhileTold: ReturnType<typeof printedWhileTold> | undefined
  /** In contexts of flows that call it. */
  readonly #plansElsewhere = new Map<string, Plan>()
  #warnings: readonly Fault[] | undefined
  #webhook: WebhookEntry | null = null
  #form: { readonly entry: FormEntry | null; readonly revision: number } | undefined
  #revision: number | undefined
  #publicChat: ChatEntry | null | undefined

  /** `document` is what the stored text says. */
  constructor(
    stored: StoredFlow,
    catalogue: Catalogue,
    defaults: EntryDefaults,
    document = storedDocument(stored.document) as FlowDocument
  ) {
    this.id = stored.id
    this.slug = stored.slug
    this.context = stored.context
    this.version = stored.version
    this.document = document
    this.size = stored.document.length
    this.#digest = digestOf(stored.document)
    this.createdAt = stored.createdAt
    this.updatedAt = stored.updatedAt
    this.paused = stored.paused
    this.triggersFrom = stored.triggersFrom
    this.origin = stored.origin
    this.aliases = stored.aliases
    this.#catalogue = catalogue
    this.#defaults = defaults
  }

  /** Null where the flow has no Webhook node. */
  get webhook(): WebhookEntry | null {
    const revision = this.#defaults.revision()
    if (revision !== this.#revision) {
      this.#webhook = webhookEntry(this.document, this.#catalogue, this.#defaults)
      this.#revision = revision
    }
    return this.#webhook
  }

  /** Null where the flow has no Form node. */
  get form(): FormEntry | null {
    const revision = this.#defaults.revision()
    if (this.#form?.revision !== revision) {
      this.#form = { entry: formEntry(this.document, this.#catalogue, this.#defaults), revision }
    }
    return this.#form.entry
  }

  /** Null where not everybody may talk to it. */
  get publicChat(): ChatEntry | null {
    if (this.#publicChat === undefined) this.#publicChat = chatEntry(this.document, this.#catalogue)
    return this.#publicChat
  }

  /** Whether its context is gone, with all that it could see there: a plugin that made it is not loaded. */
  get isWithoutContext(): boolean {
    return !this.#catalogue.hasContext(this.context)
  }

  get hasChatInput(): boolean {
    return startsOn(this.document, this.#catalogue, 'chat')
  }

  /** Compiled at the first run. Throws PlanError where a component has gone since the flow was saved. */
  get plan(): Plan {
    this.#plan ??= planFlow(this, this.#catalogue)
    return this.#plan
  }

  /** Answers that callers get while they come, by the node that streams them. */
  get streamedAnswers(): ReadonlyMap<string, StreamedHead> {
    this.#streamedAnswers ??= this.#toldBy(streamedAnswers)
    return this.#streamedAnswers
  }

  /** The nodes that print what others tell while they work, by the node that tells it. */
  get printedWhileTold(): ReturnType<typeof printedWhileTold> {
    this.#printedWhileTold ??= this.#toldBy(printedWhileTold)
    return this.#printedWhileTold
  }

  /** One that cannot be run any more tells nothing. */
  #toldBy<T>(find: (nodes: Plan['nodes']) => ReadonlyMap<string, T>): ReadonlyMap<string, T> {
    try {
      return find(this.plan.nodes)
    } catch (error) {
      if (error instanceof PlanError) return new Map()
      throw error
    }
  }

  /** In a context that is not its own, which a flow that calls it lends. */
  planIn(context: string): Plan {
    if (context === this.context) return this.plan
    const known = this.#plansElsewhere.get(context)
    if (known !== undefined) return known
    const plan = planFlow(this, this.#catalogue, context)
    if (this.#plansElsewhere.size >= MOST_ELSEWHERE) this.#plansElsewhere.clear()
    this.#plansElsewhere.set(context, plan)
    return plan
  }

  /** What is probably not meant; worked out when somebody first reads the flow. */
  get warnings(): readonly Fault[] {
    this.#warnings ??= flowWarnings(this.document, this.#catalogue)
    return this.#warnings
  }

  /** Whether nothing of it has changed. A version may be written anew, without secrets that it held. */
  isStill({ version, document, paused, triggersFrom, aliases }: StoredFlow): boolean {
    return (
      this.version === version &&
      this.paused?.mode === paused?.mode &&
      this.paused?.since === paused?.since &&
      this.triggersFrom === triggersFrom &&
      this.aliases.join() === aliases.join() &&
      this.size === document.length &&
      this.#digest === digestOf(document)
    )
  }
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64')
}
