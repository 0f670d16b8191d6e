/** Small flows as Langflow exports them. */

interface Component {
  readonly id: string
  readonly type: string
  readonly fields?: Readonly<Record<string, unknown>>
  /** Of the component itself, such as `edited`. */
  readonly more?: Readonly<Record<string, unknown>>
}

type Wire = readonly [from: string, output: string, to: string, input: string]

export function langflowFlow(name: string, components: readonly Component[], wires: readonly Wire[]) {
  return {
    name,
    description: '',
    last_tested_version: '1.13.0',
    data: {
      nodes: components.map(({ id, type, fields = {}, more = {} }, at) => ({
        id,
        type: 'genericNode',
        position: { x: 300 * at, y: 0 },
        data: {
          id,
          type,
          node: {
            display_name: type,
            ...more,
            template: {
              _type: 'Component',
              code: { value: 'class Component: ...' },
              ...Object.fromEntries(Object.entries(fields).map(([field, value]) => [field, { value }]))
            }
          }
        }
      })),
      edges: wires.map(([source, output, target, input]) => ({
        source,
        target,
        sourceHandle: quoted({ dataType: 'X', id: source, name: output, output_types: [typeOf(output)] }),
        targetHandle: quoted({ fieldName: input, id: target, inputTypes: ['Message'], type: 'str' })
      })),
      viewport: { x: 0, y: 0, zoom: 1 }
    }
  }
}

function typeOf(output: string): string {
  return output === 'output_data' ? 'Data' : 'Message'
}

/** Quotes are written by another sign in handles. */
function quoted(handle: object): string {
  return JSON.stringify(handle).replaceAll('"', 'œ')
}

/** What comes by the webhook is printed by a Parser into the chat. */
export function parserFlow(pattern: string, more: Readonly<Record<string, unknown>> = {}) {
  return langflowFlow(
    'Webhook to chat',
    [
      { id: 'Webhook-1', type: 'Webhook' },
      {
        id: 'ParserComponent-1',
        type: 'ParserComponent',
        fields: { pattern, mode: 'Parser', sep: '\n', ...more }
      },
      { id: 'ChatOutput-1', type: 'ChatOutput' }
    ],
    [
      ['Webhook-1', 'output_data', 'ParserComponent-1', 'input_data'],
      ['ParserComponent-1', 'parsed_text', 'ChatOutput-1', 'input_value']
    ]
  )
}
