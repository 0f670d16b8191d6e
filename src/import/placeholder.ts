import { slugify } from '../flows/slug.ts'
import type { Become } from './become.ts'
import type { NeededConnection } from './imported-flow.ts'
import { listed, openSettings } from './left-out-secrets.ts'

interface Unknown {
  /** The tool, and what it calls the node. */
  readonly was: string
  readonly settings: unknown
  /** What comes nearest, in a sentence. */
  readonly nearest: string
  /** The outputs that wires leave by, by name. */
  readonly outputs: readonly string[]
  /** So many inputs that wires lead to. */
  readonly inputs: readonly string[]
  readonly isTool?: boolean
  readonly connections?: readonly NeededConnection[]
}

const MOST_INPUTS = 10
const LONGEST_SETTINGS = 60_000

/** Stands for a node that has no counterpart: it keeps its settings and wires until somebody replaces it. */
export function placeholderFor(unknown: Unknown): Become {
  const { was, settings, nearest, outputs, inputs, connections = [] } = unknown
  const names = outputs.slice(0, 50)
  const slugs = new Map<string, string>()
  const taken = new Set(['tools', ...inputs.map((_, at) => `in_${at + 1}`)])
  for (const output of names) {
    const base = slugify(output) || 'case'
    let name = base
    for (let n = 2; taken.has(name); n++) name = `${base}_${n}`
    taken.add(name)
    slugs.set(output, name)
  }
  const kept = JSON.stringify(settings ?? null).length > LONGEST_SETTINGS ? null : (settings ?? null)
  const open = openSettings(kept)
  const note =
    open.leftOut.length === 0
      ? nearest
      : `${nearest} Left out as secret: ${listed(open.leftOut)}.`.trimStart()
  const first = names[0] === undefined ? undefined : slugs.get(names[0])
  return {
    verdict: 'placeholder',
    note,
    parts: {
      main: {
        type: 'placeholder',
        fields: {
          was,
          nearest,
          settings: open.settings,
          inputs: Math.min(MOST_INPUTS, Math.max(1, inputs.length)),
          outputs: names
        }
      }
    },
    takes: (input) => `main.in_${Math.min(MOST_INPUTS, Math.max(0, inputs.indexOf(input)) + 1)}`,
    gives: (output) => {
      if (unknown.isTool === true) return 'main.tools'
      const name = slugs.get(output) ?? first
      return name && `main.${name}`
    },
    connections
  }
}
