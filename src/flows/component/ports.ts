export const PORT_TYPES = ['text', 'data', 'table', 'any', 'tools'] as const

export type PortType = (typeof PORT_TYPES)[number]

export interface Port {
  readonly title: string
  readonly type: PortType
  readonly help?: string
}

export type Ports = Readonly<Record<string, Port>>

/**
 * Whether a wire may lead from one port type to another. A table is a list of objects, so it is data too; text
 * is neither data nor the other way round: a Parser or a Prompt turns one into the other on purpose. Tools are for who calls
 * them, and no data.
 */
export function fits(from: PortType, to: PortType): boolean {
  if (from === 'tools' || to === 'tools') return from === to
  return from === to || from === 'any' || to === 'any' || (from === 'table' && to === 'data')
}

/** The additional output of a node whose `on_error` says `output`. */
export const ERROR_OUTPUT = 'error'

const ERROR_PORT: Port = {
  title: 'Error',
  type: 'any',
  help: 'What went wrong: code, message, node and attempts.'
}

/** The outputs that a node has. */
export function outputPortsOf(own: Ports = {}, onError: string | undefined): Ports {
  return onError === 'output' && !Object.hasOwn(own, ERROR_OUTPUT)
    ? { ...own, [ERROR_OUTPUT]: ERROR_PORT }
    : own
}

const REMEDIES: Partial<Record<`${PortType}-${PortType}`, string>> = {
  'data-text': 'Put a Parser between them: it turns data into text.',
  'table-text': 'Put a Parser between them: it turns data into text.',
  'text-data': 'Wire a Data output instead.',
  'text-table': 'Wire a Table output instead.',
  'data-table': 'Wire a Table output instead.'
}

export function remedyForMisfit(from: PortType, to: PortType): string {
  if (from === 'tools' || to === 'tools') return 'Wire a Tools output to a Tools input.'
  return REMEDIES[`${from}-${to}`] ?? 'Wire ports of the same type.'
}
