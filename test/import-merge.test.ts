import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { n8nWorkflow } from '../src/import/n8n/n8n.test-kit.ts'
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

function workflow(version: number, parameters: Readonly<Record<string, unknown>>) {
  return n8nWorkflow(
    'Merge',
    [
      { name: 'Hook', type: 'webhook', version: 2, parameters: { path: 'm', httpMethod: 'POST' } },
      list('Left', LEFT),
      list('Right', RIGHT),
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
 * By version and settings, as n8n writes them: what it has as it comes is left out. What a Join enriches stays in its order, and the
 * report says so.
 */
const CASES: readonly [version: number, settings: object, gives: unknown][] = [
  [2, pairs, matched],
  [3, { ...pairs, advanced: true }, matched],
  [3, byId, matched],
  [3, { ...byId, outputDataFrom: 'input1' }, [LEFT[1]]],
  [3, { ...byId, outputDataFrom: 'input2' }, RIGHT.slice(0, 2)],
  [3, { ...byId, options: { multipleMatches: 'first' } }, matched.slice(0, 1)],
  [3, { ...byId, joinMode: 'enrichInput1' }, [LEFT[0], ...matched, LEFT[2]]],
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

describe('an imported Merge of n8n', () => {
  for (const [version, settings, gives] of CASES)
    it(`gives what n8n gives by ${JSON.stringify(settings)}`, async (t) => {
      const service = await shared(t)
      const answer = await service.request('POST', '/api/v1/import', {
        body: workflow(version, { ...settings })
      })
      assert.equal(answer.status, 201, answer.text)
      const [flow] = answer.json<{ flows: { id: string }[] }>().flows
      const test = await service.request('POST', `/api/v1/flows/${flow!.id}/test`, { body: { input: {} } })
      const { steps, error } = test.json<{
        steps: { node: string; outputs: { result: unknown } }[]
        error: unknown
      }>()
      const given = steps.find(({ node }) => node === 'end')?.outputs.result
      assert.deepEqual(given, gives, JSON.stringify(error))
    })
})
