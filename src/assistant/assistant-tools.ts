/** A tool as a model is told of it. */
export interface ToldTool {
  readonly name: string
  readonly description: string
  readonly inputSchema: object
}

export const PROPOSE = 'propose_changes'

const EDGE = {
  type: 'object',
  properties: { from: { type: 'string' }, to: { type: 'string' } },
  required: ['from', 'to']
}
const EDGES = { type: 'array', items: EDGE }

/** Changes nothing but what is shown to a person. */
export const PROPOSE_TOOL: ToldTool = {
  name: PROPOSE,
  description:
    'Proposes what is to be different in the flow: only what changes. It is checked, and you are told what is wrong with it; then call it again with the corrections alone, since what you proposed before stays. A person decides whether it is kept.',
  inputSchema: {
    type: 'object',
    properties: {
      summary: {
        type: 'string',
        description: 'What the flow does now, or what changed, for the person: one to three sentences'
      },
      name: { type: 'string', description: 'Of the flow; only where it is to be another one' },
      description: { type: 'string', description: 'Of the flow; only where it is to be another one' },
      nodes: {
        type: 'array',
        description:
          'New nodes, with id and type; and nodes that are there, with id and what changes. Fields that are not named stay as they are',
        items: {
          type: 'object',
          properties: {
            id: { type: 'string', description: 'Such as parser-1' },
            type: { type: 'string', description: 'Of a component' },
            title: { type: 'string' },
            fields: { type: 'object', description: 'By name, as the component tells them' },
            reset_fields: { type: 'array', items: { type: 'string' }, description: 'Back to their default' },
            on_error: { type: 'string', enum: ['fail', 'output'] },
            retry: { type: 'object' },
            parent: { type: 'string', description: 'The node of the region (For each) that it stands in' }
          },
          required: ['id']
        }
      },
      remove_nodes: { type: 'array', items: { type: 'string' }, description: 'Ids; their edges go, too' },
      edges: { ...EDGES, description: 'New ones: {"from":"node.output","to":"node.input"}' },
      remove_edges: EDGES
    },
    required: ['summary']
  }
}
