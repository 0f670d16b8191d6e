import { runInNewContext } from 'node:vm'
import { toEnd } from '../read-to-end.test-kit.ts'
import { n8nWorkflow } from './n8n.test-kit.ts'

export type Fields = Record<string, unknown>
type Drawn = readonly { id: string; type: string; fields: Fields }[]

/** What a node becomes that gets what a Code node of n8n gives. */
export function drawn(type: string, version: number, parameters: object, before = 'return [{}, {}]') {
  const file = n8nWorkflow(
    'Data',
    [
      { name: 'Start', type: 'manualTrigger' },
      { name: 'Given', type: 'code', version: 2, parameters: { jsCode: before } },
      { name: 'Node', type, version, parameters: { ...parameters } }
    ],
    [
      ['Start', 'Given'],
      ['Given', 'Node']
    ]
  )
  const [flow] = toEnd(file).flows
  return {
    nodes: flow!.document.nodes as Drawn,
    report: flow!.nodes.find(({ title }) => title === 'Node')!
  }
}

export function given(code: unknown, data: unknown): unknown {
  const result = runInNewContext(`((data, nodes, run) => {\n${String(code)}\n})`)(data, {}, {})
  return result === undefined ? undefined : JSON.parse(JSON.stringify(result))
}

/** What the code gives of items that a node becomes. */
export function result(
  type: string,
  version: number,
  parameters: object,
  data: unknown,
  id = 'node'
): unknown {
  const { nodes } = drawn(type, version, parameters)
  const { fields } = nodes.find((each) => each.id === id)!
  return given(fields.code, data)
}
