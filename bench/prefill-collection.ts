import { packVector } from '../src/knowledge/pack-vector.ts'
import { openSqliteStore } from '../src/store/sqlite/open-sqlite-store.ts'
import { madeText, madeVector } from './made-texts.ts'

interface PrefillCollection {
  readonly folder: string
  readonly texts: number
  readonly model: string
}

/** Texts that share a commit. */
const BATCH = 1_000

/** Fills the one collection of a store that the service made. */
export async function prefillCollection({ folder, texts, model }: PrefillCollection): Promise<void> {
  const store = await openSqliteStore({ folder })
  try {
    const [collection] = await store.collections.list()
    if (collection === undefined) throw new Error('the store to fill has no collection')
    const at = Date.now()
    for (let done = 0; done < texts; done += BATCH) {
      const indexes = Array.from({ length: Math.min(BATCH, texts - done) }, (_, place) => done + place)
      await Promise.all(
        indexes.map((index) => {
          const text = madeText(index)
          return store.knowledge.addChunks(
            `bench-${index}`,
            0,
            [{ text, vector: packVector(madeVector(text)) }],
            at
          )
        })
      )
      const facts = { collectionId: collection.id, chunks: 1, model, metadata: '{}', updatedAt: at }
      await Promise.all(
        indexes.map((index) =>
          store.knowledge.put({ ...facts, id: `text-${index}`, content: `bench-${index}` })
        )
      )
    }
  } finally {
    await store.close()
  }
}
