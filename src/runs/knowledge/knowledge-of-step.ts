import { inTurns, type Pacer } from '../../flows/in-turns.ts'
import type { StepCosts } from '../../flows/step/step-costs.ts'
import type { EmbeddingUsage, Knowledge as KnowledgeOfStep } from '../../flows/step/step-knowledge.ts'
import type { Collections } from '../../knowledge/collections.ts'
import { embedByConnection } from '../../knowledge/embed-by-connection.ts'
import type { Embed, Knowledge } from '../../knowledge/knowledge.ts'
import type { StoredCollection } from '../../store/collections.ts'

/** What steps write into collections, and search. */
export interface KnowledgeOutside {
  readonly collections: Pick<Collections, 'visible'>
  readonly knowledge: Pick<Knowledge, 'write' | 'search'>
}

interface Outside {
  readonly knowledge: KnowledgeOutside
  readonly connections: Parameters<typeof embedByConnection>[0]
}

interface KnowingStep {
  readonly context: string
  /** Whom connections are opened for. */
  readonly opened: () => Parameters<typeof embedByConnection>[2]
  readonly persist: <T>(ask: () => Promise<T>) => Promise<T>
  readonly pacer: Pacer
  readonly payFor: StepCosts['payFor']
}

/** What one attempt at a step sees of collections. */
export function knowledgeOfStep(
  { knowledge: known, connections }: Outside,
  { context, opened, persist, pacer, payFor }: KnowingStep
): KnowledgeOfStep {
  const { collections, knowledge } = known
  const asked = async (name: string) => {
    const collection = await persist(() => collections.visible(context, name))
    const usage = { calls: 0, cost: 0 as number | null }
    const embed = embedByConnection(connections, collection, opened())
    const counted: Embed | undefined =
      embed &&
      (async (texts, areQuestions) => {
        usage.calls++
        const characters = texts.reduce((sum, text) => sum + text.length, 0)
        const about = { model: collection.model!, input: Math.ceil(characters / 4), mostOutput: 0 }
        const paid = await payFor(about)
        const embedded = await embed(texts, areQuestions).catch((error) => {
          paid.end(undefined)
          throw error
        })
        const used = { input_tokens: embedded.tokens, cached_tokens: 0, output_tokens: 0 }
        const cost = paid.end(used)
        usage.cost = cost === null || usage.cost === null ? null : usage.cost + cost
        return embedded
      })
    return { collection, usage, asking: { embed: counted, persist } }
  }
  return {
    async write(name, text) {
      const { collection, usage, asking } = await asked(name)
      const { id, chunks, tokens } = await knowledge.write(collection, text, {
        ...asking,
        inTurns: (work) => inTurns(work, pacer)
      })
      return { id, chunks, ...usageOf(collection, usage, tokens) }
    },
    async search(name, question) {
      const { collection, usage, asking } = await asked(name)
      const { matches, tokens } = await knowledge.search(collection, question, asking)
      return { matches, ...usageOf(collection, usage, tokens) }
    }
  }
}

function usageOf(
  { connection, model }: StoredCollection,
  { calls, cost }: { readonly calls: number; readonly cost: number | null },
  tokens: number
): { usage?: EmbeddingUsage } {
  if (calls === 0 || connection === null || model === null) return {}
  const counted = { input_tokens: tokens, cached_tokens: 0, output_tokens: 0, total_tokens: tokens }
  return { usage: { connection, model, calls, ...counted, cost } }
}
