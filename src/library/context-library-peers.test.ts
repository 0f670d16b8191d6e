import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NOON } from '../clock.test-kit.ts'
import { ContextTree } from '../contexts/context-tree.ts'
import { ContextLibrary } from './context-library.ts'
import { MemoryContextStore } from './context-store.test-kit.ts'

const settings = {}
const news = (name: string) => ({ parent: '/', name, variables: {}, settings })

test('what others changed is brought in while they are waited for', async () => {
  const store = new MemoryContextStore()
  const confirmed = Promise.withResolvers<void>()
  const [here, there] = [libraryOn(store, () => confirmed.promise), libraryOn(store)]
  let isAnswered = false
  const making = here.create(news('eu')).then(() => {
    isAnswered = true
  })
  while (here.find('/eu') === undefined) await new Promise((resolve) => setImmediate(resolve))
  await there.refresh(async () => {})
  await there.change('/eu', { variables: { region: 'west' } })
  await here.refresh(async () => {})
  assert.deepEqual([here.get('/eu').variables, isAnswered], [{ region: 'west' }, false])
  confirmed.resolve()
  await making
  assert.deepEqual(here.get('/eu').variables, { region: 'west' })
})

function libraryOn(store: MemoryContextStore, confirmed = async () => {}): ContextLibrary {
  const tree = new ContextTree()
  tree.freeze()
  let ids = 0
  return new ContextLibrary({
    store,
    tree,
    newId: () => `id-${ids++}`,
    now: () => NOON,
    isInhabited: () => false,
    hasUnfinishedRuns: async () => false,
    confirmed
  })
}
