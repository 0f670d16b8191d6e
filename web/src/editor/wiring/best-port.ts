import { fits, type PortType } from '../../../../src/flows/component/ports.ts'

/** The port that fits best: of the very same type if there is one, else the first that takes it. */
export function bestPort(
  ports: Readonly<Record<string, { readonly type: PortType }>>,
  type: PortType,
  direction: 'from it' | 'to it'
): string | undefined {
  const entries = Object.entries(ports)
  const isFit = (other: PortType) => (direction === 'to it' ? fits(type, other) : fits(other, type))
  const found = entries.find(([, port]) => port.type === type) ?? entries.find(([, port]) => isFit(port.type))
  return found?.[0]
}
