import { type FieldFault, pathFault } from '../../plugin-api.ts'

/** What is wrong with a field that lists paths. */
export function pathListFaults(field: string, paths: readonly string[]): FieldFault[] {
  for (const [at, path] of paths.entries()) {
    const fault = pathFault(path)
    if (fault !== undefined) return [{ field, message: `Key ${at + 1}: ${fault}` }]
  }
  return []
}

/** Members of one object, two of which would have the same name. */
export function namesTwice(field: string, names: readonly string[]): FieldFault[] {
  const seen = new Set<string>()
  const twice = names.find((name) => seen.size === seen.add(name).size)
  return twice === undefined
    ? []
    : [{ field, message: `Two of the result would be called "${twice}". Name one of them in As.` }]
}
