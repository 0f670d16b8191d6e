/** Small flows as Flowise exports them. */

interface Given {
  readonly id: string
  readonly name: string
  readonly category?: string
  readonly parent?: string
  readonly inputs?: Readonly<Record<string, unknown>>
}

/** `['a', 'b']` is a wire; a number is the output it leaves by, and a text the input that it is lent to.
 * Last comes the name by which a condition of version 1 calls its output. */
type Wire = readonly [from: string, to: string, by?: number | string, output?: string]

export function flowiseFlow(nodes: readonly Given[], wires: readonly Wire[]) {
  return {
    description: 'A small one',
    nodes: nodes.map(({ id, name, category = 'Agent Flows', parent, inputs = {} }, at) => ({
      id,
      type: 'agentFlow',
      position: { x: 300 * at, y: 0 },
      width: 200,
      height: 70,
      ...(parent !== undefined && { parentNode: parent }),
      data: {
        id,
        label: id,
        name,
        type: name,
        category,
        inputParams: [],
        inputAnchors: [],
        inputs,
        outputs: {}
      }
    })),
    edges: wires.map(([source, target, by = 0, output]) => ({
      source,
      target,
      sourceHandle: `${source}-output-${output ?? (typeof by === 'number' ? by : 'x')}`,
      targetHandle: typeof by === 'string' ? `${target}-input-${by}-Any` : target
    }))
  }
}
