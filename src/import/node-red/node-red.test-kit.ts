/** Small flows as Node-RED writes them. */

interface Given {
  readonly id: string
  readonly type: string
  /** By output, the nodes that it leads to. */
  readonly to?: readonly (readonly string[])[]
  readonly [setting: string]: unknown
}

/** The nodes of one tab, in a row. */
export function redTab(label: string, nodes: readonly Given[], tab = `tab-${label}`) {
  return [
    { id: tab, type: 'tab', label, disabled: false, info: '' },
    ...nodes.map(({ to = [], ...node }, at) => ({ z: tab, name: '', x: 120 * at, y: 80, ...node, wires: to }))
  ]
}

/** Asked by GET or POST, the nodes between answer. */
export function redEndpoint(method: string, nodes: readonly Given[]) {
  return redTab('Endpoint', [
    { id: 'in', type: 'http in', method, url: '/orders', to: [[nodes[0]?.id ?? 'answer']] },
    ...nodes,
    { id: 'answer', type: 'http response', statusCode: '', headers: {} }
  ])
}
