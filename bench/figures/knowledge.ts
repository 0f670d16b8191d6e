import { madeQuestion } from '../made-texts.ts'
import { prefillCollection } from '../prefill-collection.ts'
import { API_KEY, type Service, startService } from '../service-process.ts'
import { startScript } from '../start-script.ts'
import { median, percentile } from '../statistics.ts'
import type { Figure, Target } from './figure.ts'
import type { Bench, FigureGroup } from './group.ts'
import { connectModel, post } from './model-flow.ts'

const TEXTS = 100_000
const MODEL = 'bench'

const SEARCH: Target = {
  name: 'search of 100,000 texts by words and meaning, p95',
  unit: 'ms',
  must: { atMost: 50 }
}
const BESIDE: Target = { name: 'a request that is sent beside each search, p95', unit: 'ms' }
const FIRST: Target = { name: 'the first search after a start, which reads all of them', unit: 'ms' }

const SEARCHES_PER_ROUND = 100
const WARMING_UP = 20

/** Over HTTP, with a server on the same machine that says what the question means: 256 numbers. */
export const knowledgeGroup: FigureGroup = {
  key: 'knowledge',
  about: 'searching a collection of 100,000 texts of 100 words by words and meaning (takes a minute)',
  targets: [SEARCH, BESIDE, FIRST],
  async measure({ workspace, options, say }: Bench): Promise<Figure[]> {
    const home = workspace.folder('bench-knowledge')
    const embeddings = await startScript(
      workspace,
      ['bench/embedding-upstream.ts'],
      /The embeddings are ready at (\S+)\n/
    )
    const empty = await startService(workspace, { home })
    await connectModel(empty, embeddings.url)
    await post(empty, '/api/v1/collections', { name: 'bench', connection: 'model', model: MODEL })
    await empty.stop()
    say(`knowledge: writing ${TEXTS.toLocaleString('en')} texts`)
    await prefillCollection({ folder: home, texts: TEXTS, model: MODEL })
    const service = await startService(workspace, { home })
    const first = await firstSearch(service)
    say(`knowledge: the first search took ${Math.round(first)} ms`)
    const { searches, beside } = await searchOften(service, options.rounds * SEARCHES_PER_ROUND)
    await service.stop()
    const detail = `of ${searches.length} searches, one after the other; median ${median(searches).toFixed(1)} ms`
    return [
      { ...SEARCH, measured: percentile(searches, 0.95), detail },
      { ...BESIDE, measured: percentile(beside, 0.95), detail: `median ${median(beside).toFixed(1)} ms` },
      { ...FIRST, measured: first, detail: 'once' }
    ]
  }
}

async function collectionOf(service: Service): Promise<string> {
  const { collections } = (await service.get('/api/v1/collections')) as {
    readonly collections: readonly { readonly id: string; readonly count: number }[]
  }
  const [collection] = collections
  if (collection?.count !== TEXTS) throw new Error(`the collection has ${collection?.count} texts`)
  return `/api/v1/collections/${collection.id}/search`
}

async function firstSearch(service: Service): Promise<number> {
  const path = await collectionOf(service)
  const since = performance.now()
  await search(service, path, madeQuestion(0))
  return performance.now() - since
}

async function searchOften(service: Service, times: number) {
  const path = await collectionOf(service)
  const searches: number[] = []
  const beside: number[] = []
  for (let index = 0; index < times + WARMING_UP; index++) {
    const live = timed(() => fetch(`${service.url}/livez`).then((response) => response.text()))
    const took = await timed(() => search(service, path, madeQuestion(index)))
    const besideTook = await live
    if (index < WARMING_UP) continue
    searches.push(took)
    beside.push(besideTook)
  }
  return { searches, beside }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const since = performance.now()
  await work()
  return performance.now() - since
}

async function search(service: Service, path: string, query: string): Promise<void> {
  const response = await fetch(service.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': API_KEY },
    body: JSON.stringify({ query, mode: 'Both' })
  })
  if (!response.ok) throw new Error(`the search was refused: ${await response.text()}`)
  const { matches } = (await response.json()) as { readonly matches: readonly unknown[] }
  if (matches.length !== 5) throw new Error(`the search found ${matches.length} texts`)
}
