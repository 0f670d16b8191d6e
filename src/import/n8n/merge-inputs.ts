import type { Become, Part } from '../become.ts'

interface Inputs {
  readonly parts: Readonly<Record<string, Part>>
  readonly links: readonly (readonly [from: string, to: string])[]
  readonly takes: Become['takes']
}

/**
 * A Merge that says which input brought what: of a branch that did not run nothing comes, and the others would stand in its place.
 * Behind it `data` has the members `in_1`, `in_2` and so on.
 */
export function namedInputs(count: number): Inputs {
  const names = Array.from({ length: count }, (_, at) => `in_${at + 1}`)
  return {
    parts: {
      main: { type: 'merge', fields: { mode: 'Combine', inputs: count } },
      ...Object.fromEntries(
        names.map((name, at) => [
          name,
          { type: 'code', title: `Input ${at + 1}`, fields: { code: `return { ${name}: data }` } }
        ])
      )
    },
    links: names.map((name) => [`${name}.result`, `main.${name}`] as const),
    takes: (input) => `${names[Math.min(count - 1, Number(input))] ?? names[0]}.data`
  }
}

/** The lists of all inputs, in code. */
export function listsOf(count: number): string {
  return `[${Array.from({ length: count }, (_, at) => `$list(data.in_${at + 1})`).join(', ')}]`
}
