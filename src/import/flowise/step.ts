import type { Become, Part } from '../become.ts'
import type { ImportedFlow, ImportHelp, NeededConnection } from '../imported-flow.ts'
import type { FlowiseNode } from './flowise-node.ts'
import type { Writer } from './writer.ts'

/** A tool that stands beside the agent that it is given to. */
export interface Tool {
  readonly title: string
  readonly become: Become
  /** What it runs. */
  readonly flow?: ImportedFlow
}

export interface Step {
  readonly become: Become
  readonly tools?: readonly Tool[]
  /** Flows that it runs. */
  readonly flows?: readonly ImportedFlow[]
}

/** Where a node stands. */
export interface Place {
  /** What is lent to one of its inputs: its model, its tools … */
  readonly lent: (input: string) => readonly FlowiseNode[]
  /** The same of any node. */
  readonly lentTo: (id: string, input: string) => readonly FlowiseNode[]
  /** The workers of who leads them. */
  readonly led: (id: string) => readonly FlowiseNode[]
  readonly help: ImportHelp
  readonly isFirst: boolean
  /** How many outputs wires leave by. */
  readonly outputs: readonly string[]
}

export type Mapping = (node: FlowiseNode, write: Writer, place: Place) => Step | undefined

interface Made {
  readonly takes?: string
  readonly gives: (output: string) => string | undefined
  readonly links?: Become['links']
  readonly connections?: readonly NeededConnection[]
}

export function made(parts: Readonly<Record<string, Part>>, write: Writer, given: Made): Become {
  const { takes = 'main.data', gives, links = [], connections = [] } = given
  return {
    verdict: write.note === '' ? 'exact' : 'adapted',
    note: write.note,
    parts,
    links,
    takes: (input) => (input === 'tools' ? 'main.tools' : takes),
    gives,
    connections
  }
}

/** Of what asks a model. */
export const TEXT_OR_DATA = (output: string): string => (output === 'data' ? 'main.data' : 'main.text')

/** A template becomes a text, whatever comes in: `text.parsed_text`, fed by `once.data`. */
export function writtenText(template: string): {
  readonly parts: Readonly<Record<string, Part>>
  readonly links: readonly (readonly [string, string])[]
} {
  return {
    parts: {
      text: { type: 'parser', title: 'Text', fields: { template: template || ' ' } },
      once: { type: 'code', title: 'Once', fields: { code: 'return { data }' } }
    },
    links: [['once.result', 'text.data']]
  }
}
