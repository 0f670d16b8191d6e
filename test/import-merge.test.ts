import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { n8nWorkflow } from '../src/import/n8n/n8n.test-kit.ts'
import type { ApiClient } from './support/api-client.ts'
import { serviceOfFile } from './support/service.ts'

const shared = serviceOfFile()

const LEFT = [
  { id: 1, a: 'x' },
  { id: 2, a: 'y', both: 'l' },
  { id: 3, a: 'z' }
]
const RIGHT = [
  { id: 2, b: 'q', both: 'r' },
  { id: 2, b: 'p' },
  { id: 4, b: 's' }
]

const list = (name: string, items: readonly object[]) => ({
  name,
  type: 'code',
  version: 2,
  parameters: { jsCode: `return ${JSON.stringify(items.map((json) => ({ json })))}` }
})

function workflow(
  version: number,
  parameters: Readonly<Record<string, unknown>>,
  left: readonly object[] = LEFT,
  right: readonly object[] = RIGHT
) {
  return n8nWorkflow(
    'Merge',
    [
      { name: 'Hook', type: 'webhook', version: 2, parameters: { path: 'm', httpMethod: 'POST' } },
      list('Left', left),
      list('Right', right),
      { name: 'Both', type: 'merge', version, parameters },
      { name: 'End', type: 'code', version: 2, parameters: { jsCode: 'return $input.all()' } }
    ],
    [
      ['Hook', 'Left'],
      ['Hook', 'Right'],
      ['Left', 'Both'],
      ['Right', 'Both', 0, 'main', 1],
      ['Both', 'End']
    ]
  )
}

/** What comes to the end of an imported workflow. */
async function givenBy(service: ApiClient, body: object): Promise<unknown> {
  const answer = await service.request('POST', '/api/v1/import', { body })
  assert.equal(answer.status, 201, answer.text)
  const [flow] = answer.json<{ flows: { id: string }[] }>().flows
  const test = await service.request('POST', `/api/v1/flows/${flow!.id}/test`, { body: { input: {} } })
  const { status, steps, error } = test.json<{
    status: string
    steps: { node: string; outputs: { result?: unknown } | null }[]
    error: unknown
  }>()
  assert.equal(status, 'succeeded', JSON.stringify(error))
  return steps.find(({ node }) => node === 'end')?.outputs?.result
}

const byId = { mode: 'combine', fieldsToMatchString: 'id' }
const pairs = { mode: 'combine', mergeByFields: { values: [{ field1: 'id', field2: 'id' }] } }
const inFirst = { mode: 'combine', combineBy: 'combineByPosition' }
const clash = (resolveClash: string) => ({ clashHandling: { values: { resolveClash } } })
const matched = [
  { id: 2, a: 'y', both: 'r', b: 'q' },
  { id: 2, a: 'y', both: 'l', b: 'p' }
]
const keys = { propertyName1: 'id', propertyName2: 'id' }

/**
 * By version and settings, as n8n writes them: what it has as it comes is left out.
 */
const CASES: readonly [version: number, settings: object, gives: unknown][] = [
  [2, pairs, matched],
  [3, { ...pairs, advanced: true }, matched],
  [3, byId, matched],
  [3, { ...byId, outputDataFrom: 'input1' }, [LEFT[1]]],
  [3, { ...byId, outputDataFrom: 'input2' }, RIGHT.slice(0, 2)],
  [3, { ...byId, options: { multipleMatches: 'first' } }, matched.slice(0, 1)],
  [3, { ...byId, joinMode: 'enrichInput1' }, [...matched, LEFT[0], LEFT[2]]],
  [
    3,
    { ...byId, joinMode: 'enrichInput2' },
    [{ id: 2, a: 'y', both: 'l', b: 'q' }, { id: 2, a: 'y', both: 'l', b: 'p' }, RIGHT[2]]
  ],
  [3, { ...byId, joinMode: 'keepNonMatches', outputDataFrom: 'input1' }, [LEFT[0], LEFT[2]]],
  [3, { ...byId, joinMode: 'keepNonMatches', outputDataFrom: 'input2' }, [RIGHT[2]]],
  [
    3,
    { ...byId, joinMode: 'keepNonMatches' },
    [
      { ...LEFT[0], _source: 'input1' },
      { ...LEFT[2], _source: 'input1' },
      { ...RIGHT[2], _source: 'input2' }
    ]
  ],
  [
    3,
    { ...byId, options: { ...clash('addSuffix'), multipleMatches: 'first' } },
    [{ id_1: 2, a_1: 'y', both_1: 'l', id_2: 2, b_2: 'q', both_2: 'r' }]
  ],
  [
    3,
    { ...inFirst, options: clash('preferInput1') },
    [
      { id: 1, a: 'x', b: 'q', both: 'r' },
      { id: 2, a: 'y', b: 'p', both: 'l' },
      { id: 3, a: 'z', b: 's' }
    ]
  ],
  [1, { mode: 'removeKeyMatches', ...keys }, [LEFT[0], LEFT[2]]],
  [1, { mode: 'keepKeyMatches', ...keys }, [LEFT[1]]],
  [1, { mode: 'wait' }, {}],
  [3, { mode: 'chooseBranch', output: 'empty' }, {}],
  [3, { mode: 'chooseBranch', useDataOfInput: 2 }, RIGHT]
]

describe('an imported Merge of n8n to which nothing comes by one input', () => {
  const given = { mode: 'combine', fieldsToMatchString: 'id' }
  const nothing: readonly [settings: object, gives: unknown][] = [
    [{ ...given, joinMode: 'enrichInput1' }, undefined],
    [{ ...given, joinMode: 'enrichInput2' }, RIGHT],
    [{ ...given, joinMode: 'keepNonMatches', outputDataFrom: 'input1' }, undefined],
    [{ ...given, joinMode: 'keepEverything' }, RIGHT],
    [{ mode: 'combine', combineBy: 'combineAll' }, undefined],
    [{ mode: 'combine', combineBy: 'combineByPosition' }, undefined],
    [{ mode: 'chooseBranch', useDataOfInput: 1 }, undefined],
    [{ mode: 'append' }, RIGHT]
  ]
  for (const [settings, gives] of nothing)
    it(`knows which it was by ${JSON.stringify(settings)}`, async (t) => {
      assert.deepEqual(await givenBy(await shared(t), workflow(3, { ...settings }, [])), gives)
    })
})

describe('an imported Merge of n8n', () => {
  it('merges objects and lists in objects, unless it is told not to', async (t) => {
    const service = await shared(t)
    const [left, right] = [[{ id: 1, o: { a: 1, l: [1, 2] } }], [{ id: 1, o: { b: 2, l: [3] } }]]
    const by = (mergeMode: object) => ({ ...byId, options: { clashHandling: { values: { ...mergeMode } } } })
    const merged = (settings: object) => givenBy(service, workflow(3, { ...settings }, left, right))
    assert.deepEqual(await merged(by({})), [{ id: 1, o: { a: 1, b: 2, l: [3, 2] } }])
    assert.deepEqual(await merged(by({ mergeMode: 'shallowMerge' })), right)
  })

  it('takes a number and a text for two values', async (t) => {
    const service = await shared(t)
    const file = workflow(3, { ...byId, joinMode: 'enrichInput1' }, [{ id: 7 }], [{ id: '7', b: 1 }])
    assert.deepEqual(await givenBy(service, file), [{ id: 7 }])
  })

  for (const [version, settings, gives] of CASES)
    it(`gives what n8n gives by ${JSON.stringify(settings)}`, async (t) => {
      assert.deepEqual(await givenBy(await shared(t), workflow(version, { ...settings })), gives)
    })
})
