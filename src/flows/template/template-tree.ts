import { atOnce, type Turns } from '../in-turns.ts'
import { isPlainObject, type JsonValue } from '../json/exact-json.ts'
import { compileTemplate, MOST_AT_ONCE, type Template, type TextRoom } from './compile-template.ts'
import type { Scope } from './read-path.ts'
import { type TemplateFault, templateFault } from './template-fault.ts'

/** JSON whose texts are templates, such as the body of a request or the parameters of a query. */
export interface TemplateTree {
  /**
   * The same shape with its templates filled in. A text that is one placeholder and nothing else becomes the value
   * itself: `"{id}"` is a number where the id is one. Members and items whose value may be absent and is, are left out.
   * Throws TextTooLong where all other texts together have more than `most` characters, by default MOST_AT_ONCE.
   */
  render(scope: Scope, contextVariables?: Scope, most?: number): JsonValue | undefined
  /** The same in turns, for what may be long. */
  renderWithin(room: TextRoom, scope: Scope, contextVariables?: Scope): Turns<JsonValue | undefined>
}

/** Throws a TemplateError with the code `template_syntax`. */
export function compileTemplateTree(source: JsonValue): TemplateTree {
  const branch = compileBranch(source)
  return {
    render: (scope, contextVariables, most = MOST_AT_ONCE) =>
      atOnce(branch({ left: most }, scope, contextVariables)),
    renderWithin: branch
  }
}

type Branch = TemplateTree['renderWithin']

function compileBranch(source: JsonValue): Branch {
  if (typeof source === 'string') return leaf(compileTemplate(source))
  if (Array.isArray(source)) return list(source.map(compileBranch))
  if (isPlainObject(source))
    return object(Object.entries(source).map(([name, value]) => [name, compileBranch(value)]))
  return constant(source)
}

function leaf(template: Template): Branch {
  return (room, scope, contextVariables) => template.renderValueWithin(room, scope, contextVariables)
}

function constant(value: JsonValue): Branch {
  // biome-ignore lint/correctness/useYield: it is one of those that may
  return function* () {
    return value
  }
}

function list(items: readonly Branch[]): Branch {
  return function* (room, scope, contextVariables) {
    const rendered: JsonValue[] = []
    for (const item of items) {
      const value = yield* item(room, scope, contextVariables)
      if (value !== undefined) rendered.push(value)
    }
    return rendered
  }
}

function object(members: readonly (readonly [name: string, value: Branch])[]): Branch {
  return function* (room, scope, contextVariables) {
    const rendered: [string, JsonValue][] = []
    for (const [name, member] of members) {
      const value = yield* member(room, scope, contextVariables)
      if (value !== undefined) rendered.push([name, value])
    }
    // Not assigned one by one: a key may be called __proto__.
    return Object.fromEntries(rendered)
  }
}

/** The first fault of each text that does not compile; its message begins with where the text stands. */
export function templateTreeFaults(source: JsonValue, where = ''): TemplateFault[] {
  if (typeof source === 'string') {
    const fault = templateFault(source)
    if (fault === undefined) return []
    return [where === '' ? fault : { ...fault, message: `At ${where}: ${fault.message}` }]
  }
  if (Array.isArray(source))
    return source.flatMap((item, index) => templateTreeFaults(item, `${where}[${index}]`))
  if (!isPlainObject(source)) return []
  return Object.entries(source).flatMap(([name, value]) =>
    templateTreeFaults(value, where === '' ? name : `${where}.${name}`)
  )
}
