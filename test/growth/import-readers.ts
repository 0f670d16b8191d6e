import { inTurns, type Pacer } from '../../src/flows/in-turns.ts'
import { readSentFile } from '../../src/http/import/read-file.ts'
import { codeFrom } from '../../src/import/expressions/code-text.ts'
import { isExpression } from '../../src/import/expressions/meaning.ts'
import { pythonCode } from '../../src/import/langflow/python-code.ts'
import { fromPython } from '../../src/import/langflow/python-template.ts'
import { readImport } from '../../src/import/read-import.ts'
import { BODY, type Reader, shape, texts } from './shapes.ts'

const help = () => {
  let n = 0
  return { slugFor: () => `flow-${++n}` }
}

const read = (file: unknown) => (pacer: Pacer) => inTurns(readImport(file, help()), pacer)
const many = (n: number, make: (at: number) => unknown) => Array.from({ length: n }, (_, at) => make(at))
const position = { x: 0, y: 0 }

function langflow(n: number, type: string, wire: (at: number) => [from: number, to: number]) {
  const nodes = many(n, (at) => {
    const template = { pattern: { value: 'Order {a} of {b[c]}' }, template: { value: '{a}' } }
    return { id: `N${at}`, type: 'genericNode', position, data: { type, node: { template } } }
  })
  const edges = many(n, (at) => {
    const [from, to] = wire(at)
    const data = { sourceHandle: { name: 'item' }, targetHandle: { fieldName: 'input_data' } }
    return { source: `N${from}`, target: `N${to}`, data }
  })
  return { name: 'Test', data: { nodes, edges } }
}

function oneOfLangflow(template: object) {
  const node = { id: 'N0', type: 'genericNode', position, data: { type: 'Prompt', node: { template } } }
  return { name: 'Test', data: { nodes: [node], edges: [] } }
}

function n8n(n: number, type: string, parameters: object, to: (at: number) => number) {
  const nodes = many(n, (at) => ({
    name: `N${at}`,
    type: `n8n-nodes-base.${type}`,
    typeVersion: 3,
    position: [0, 0],
    parameters
  }))
  const connections = Object.fromEntries(
    many(n, (at) => [`N${at}`, { main: [[{ node: `N${to(at as number)}`, type: 'main', index: 0 }]] }]) as [
      string,
      unknown
    ][]
  )
  return { name: 'Test', nodes, connections }
}

/** A tab of nodes of one type, of which each leads to the one that `to` says. */
function nodeRed(n: number, type: string, more: object, to: (at: number) => readonly number[]) {
  return [
    { id: 'tab', type: 'tab', label: 'Test' },
    ...many(n, (at) => ({
      id: `N${at}`,
      type,
      z: 'tab',
      x: 0,
      y: 0,
      wires: [to(at as number).map((end) => `N${end}`)],
      ...more
    }))
  ]
}

function flowise(n: number, name: string, inputs: object, to: (at: number) => number) {
  const nodes = many(n, (at) => ({
    id: `N${at}`,
    position,
    data: { id: `N${at}`, name, label: name, category: 'Agent Flows', inputParams: [], inputs }
  }))
  const edges = many(n, (at) => ({ source: `N${at}`, target: `N${to(at as number)}`, targetHandle: '' }))
  return { nodes, edges }
}

const next = (n: number) => (at: number) => Math.min(n - 1, at + 1)
const EXPRESSIONS = { value: '={{ $json.a }} and {{ $("N0").item.json.b.toUpperCase() }}' }

/** Files of other tools, and what stands in them. */
export const IMPORT_READERS: readonly Reader[] = [
  {
    name: 'files that are imported',
    covers: [
      'src/import/read-import.ts',
      'src/import/langflow/read-langflow.ts',
      'src/import/flowise/read-flowise.ts',
      'src/import/n8n/read-n8n.ts',
      'src/import/n8n/read-nodes.ts',
      'src/import/node-red/read-node-red.ts',
      'src/http/import/read-file.ts',
      'src/http/import/read-files.ts'
    ],
    shapes: [
      shape('a chain of Langflow', 500, (n) =>
        read(langflow(n, 'ParserComponent', (at) => [at, next(n)(at)]))
      ),
      shape('a star of Langflow', 200, (n) => read(langflow(n, 'Prompt', (at) => [0, at]))),
      shape('loops of Langflow', 200, (n) => read(langflow(n, 'LoopComponent', (at) => [at, next(n)(at)]))),
      shape('a chain of n8n', 500, (n) =>
        read(n8n(n, 'set', { values: { string: [{ name: 'a', ...EXPRESSIONS }] } }, next(n)))
      ),
      shape('a ring of n8n', 500, (n) =>
        read(
          n8n(
            n,
            'if',
            { conditions: { string: [{ value1: '={{ $json.a }}', value2: 'b' }] } },
            (at) => (at + 1) % n
          )
        )
      ),
      shape('wires back of n8n', 4_000, (n) => {
        const side = Math.round(Math.sqrt(n))
        const ends = [many(side, (at) => ({ node: `N${at}`, type: 'main', index: 0 }))]
        const connections = Object.fromEntries(
          many(side, (at) => [`N${at}`, { main: ends }]) as [string, unknown][]
        )
        return read({ ...n8n(side, 'set', {}, next(side)), connections })
      }),
      shape('loops of n8n', 200, (n) => read(n8n(n, 'splitInBatches', {}, next(n)))),
      shape('branches of n8n', 200, (n) => read(n8n(n, 'merge', {}, (at) => (at * 7) % n))),
      shape('nodes of nobody', 200, (n) => read(n8n(n, 'unknown', { a: [1, 2] }, next(n)))),
      shape('nodes of n8n of one name', 2_000, (n) =>
        read({
          name: 'Test',
          nodes: many(n, () => ({ name: 'N', type: 'n8n-nodes-base.noOp', typeVersion: 1 })),
          connections: {}
        })
      ),
      shape('expressions of n8n', 500, (n) =>
        read(n8n(2, 'httpRequest', { url: `=${'{{ $json.a }}'.repeat(n)}` }, next(2)))
      ),
      shape('computed of n8n', 100, (n) =>
        read(n8n(2, 'httpRequest', { url: `=${many(n, (at) => `{{ $json.a + ${at} }}`).join('')}` }, next(2)))
      ),
      shape('a chain of Node-RED', 500, (n) =>
        read(nodeRed(n, 'function', { func: 'return msg', outputs: 1 }, (at) => [next(n)(at)]))
      ),
      shape('a ring of Node-RED', 500, (n) =>
        read(nodeRed(n, 'switch', { rules: [{ t: 'eq', v: 'a' }] }, (at) => [(at + 1) % n]))
      ),
      shape('links of Node-RED', 200, (n) =>
        read(nodeRed(n, 'junction', {}, (at) => [(at * 7) % n, (at * 11) % n]))
      ),
      shape('ways in of Node-RED', 100, (n) =>
        read(nodeRed(n, 'http in', { url: '/a', method: 'get' }, (at) => [next(n)(at)]))
      ),
      shape('splits of Node-RED', 200, (n) =>
        read(nodeRed(n, 'split', {}, (at) => [next(n)(at), (at * 7) % n]))
      ),
      shape('watchers of Node-RED', 200, (n) =>
        read([
          ...nodeRed(n, 'json', {}, (at) => [next(n)(at)]),
          ...many(n, (at) => ({ id: `C${at}`, type: 'catch', z: 'tab', x: 0, y: 0, wires: [['N0']] }))
        ])
      ),
      shape('subflows of Node-RED', 100, (n) =>
        read(
          many(n, (at) => [
            { id: `S${at}`, type: 'subflow', name: 'S', in: [{ wires: [{ id: `N${at}` }] }], out: [] },
            { id: `N${at}`, type: `subflow:S${((at as number) + 1) % n}`, z: `S${at}`, x: 0, y: 0, wires: [] }
          ]).flat()
        )
      ),
      shape('a long function of Node-RED', 2_000, (n) =>
        read(
          nodeRed(2, 'function', { func: 'flow.get("a"); return [['.repeat(n / 10), outputs: 1 }, (at) => [
            next(2)(at)
          ])
        )
      ),
      shape('a long template of Node-RED', 2_000, (n) =>
        read(
          nodeRed(2, 'template', { template: '{{#a}}{{b}}{{/a}}{{'.repeat(n / 10) }, (at) => [next(2)(at)])
        )
      ),
      shape('a chain of Flowise', 200, (n) =>
        read(flowise(n, 'llmAgentflow', { llmUserMessage: '<p>{{ N0 }} {{ $flow.state.a }}</p>' }, next(n)))
      ),
      shape('a ring of Flowise', 200, (n) =>
        read(flowise(n, 'conditionAgentflow', { conditions: [{ value1: '{{ a }}' }] }, (at) => (at + 1) % n))
      ),
      shape('what is lent in Flowise', 200, (n) => read(flowise(n, 'chatOpenAI', {}, next(n)))),
      shape('a star of Flowise', 200, (n) => read(flowise(n, 'toolAgent', { tools: [] }, () => 0))),
      shape('tools of Flowise', 100, (n) =>
        read(
          flowise(
            2,
            'agentAgentflow',
            { agentTools: many(n, () => ({ agentSelectedTool: 'calculator' })) },
            next(2)
          )
        )
      ),
      shape('a long text of Flowise', 2_000, (n) =>
        read(
          flowise(
            2,
            'directReplyAgentflow',
            { directReplyMessage: '<p><span {{ question }}'.repeat(n / 10) },
            next(2)
          )
        )
      ),
      shape('braces of Langflow', 100_000, (n) =>
        read(oneOfLangflow({ template: { value: '}}'.repeat(n) } }))
      ),
      shape('braces of Mustache of Langflow', 100_000, (n) =>
        read(oneOfLangflow({ template: { value: '{{}}'.repeat(n) }, use_double_brackets: { value: true } }))
      ),
      shape('fields of a prompt of Langflow', 5_000, (n) => {
        const names = many(n, (at) => `a${at}`)
        const fields = Object.fromEntries(names.map((name) => [name, { value: 'x' }]))
        return read(
          oneOfLangflow({ ...fields, template: { value: names.map((name) => `{${name}}`).join('') } })
        )
      }),
      shape('a text of Langflow', 200_000, (n) =>
        read(oneOfLangflow({ template: { value: '<p>'.repeat(n) } }))
      ),
      shape('braces of n8n', 100_000, (n) => read(n8n(2, 'httpRequest', { url: '}}'.repeat(n) }, next(2)))),
      // Below what is read of one node, and above it.
      ...[450, 3_750].map((size) =>
        shape(`${size} computed parameters of n8n`, size, (n) =>
          read(
            n8n(
              2,
              'httpRequest',
              {
                sendQuery: true,
                queryParameters: {
                  parameters: many(n, (at) => ({ name: `p${at}`, value: `={{ $json.a ? ${at} : $json.b }}` }))
                }
              },
              next(2)
            )
          )
        )
      ),
      shape('braces of Flowise', 100_000, (n) =>
        read(flowise(2, 'directReplyAgentflow', { directReplyMessage: '{{}}'.repeat(n) }, next(2)))
      ),
      shape('braces of Node-RED', 100_000, (n) =>
        read(nodeRed(2, 'http request', { url: '{{}}'.repeat(n), method: 'GET' }, (at) => [next(2)(at)]))
      ),
      shape(
        'JSON',
        BODY,
        (n) => (pacer) =>
          attempt(() => inTurns(readSentFile({ name: '', text: `[${'{},'.repeat(n / 3)}` }), pacer))
      )
    ]
  },
  {
    name: 'expressions and templates of other tools',
    covers: ['src/import/expressions/parse-expression.ts'],
    shapes: [
      ...texts(2_000, (text) => isExpression(text)),
      ...texts(2_000, (text) => codeFrom(text, () => ({ value: 'nodes["a"]', at: '0' }))),
      ...texts(2_000, (text) => fromPython(text)),
      ...texts(2_000, (text) => pythonCode(text, ',')),
      shape('parentheses', 2_000, (n) => () => isExpression('('.repeat(n))),
      shape('lists of parentheses', 2_000, (n) => () => isExpression(`[${'(a),'.repeat(n / 4)}]`)),
      shape('braces', 2_000, (n) => () => fromPython('{'.repeat(n))),
      shape('backticks', 2_000, (n) => () => isExpression('`${'.repeat(n / 3)))
    ]
  }
]

async function attempt(work: () => unknown): Promise<void> {
  try {
    await work()
  } catch {
    // What is broken is refused, in as bounded a time.
  }
}
