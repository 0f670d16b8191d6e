/** Small workflows as n8n exports them. */

interface Node {
  readonly name: string
  readonly type: string
  readonly version?: number
  readonly parameters?: Readonly<Record<string, unknown>>
  readonly more?: Readonly<Record<string, unknown>>
}

/** `['A', 'B']` is a wire; a third member says which output it leaves by, and a fourth of which kind it is. */
type Wire = readonly [from: string, to: string, output?: number, kind?: string, input?: number]

export function n8nWorkflow(name: string, nodes: readonly Node[], wires: readonly Wire[]) {
  const connections: Record<string, Record<string, { node: string; type: string; index: number }[][]>> = {}
  for (const [from, to, output = 0, kind = 'main', input = 0] of wires) {
    connections[from] ??= {}
    connections[from][kind] ??= []
    const outputs = connections[from][kind]
    while (outputs.length <= output) outputs.push([])
    outputs[output]!.push({ node: to, type: kind, index: input })
  }
  return {
    name,
    nodes: nodes.map(({ name: nodeName, type, version = 1, parameters = {}, more = {} }, at) => ({
      id: `${at}`,
      name: nodeName,
      type: type.startsWith('ai:') ? `@n8n/n8n-nodes-langchain.${type.slice(3)}` : `n8n-nodes-base.${type}`,
      typeVersion: version,
      position: [200 * at, 0],
      parameters,
      ...more
    })),
    connections,
    settings: {},
    pinData: {}
  }
}
