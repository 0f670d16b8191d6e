import { isPlainObject, type JsonValue } from '../json/exact-json.ts'
import { compileTemplate, type Template } from './compile-template.ts'
import type { Scope } from './read-path.ts'
import { type TemplateFault, templateFault } from './template-fault.ts'

/** JSON whose texts are templates, such as the body of a request or the parameters of a query. */
export interface TemplateTree {
  /**
   * The same shape with its templates filled in. A text that is one placeholder and nothing else becomes the value
   * itself: `"{id}"` is a number where the id is one. Members and items whose value may be absent and is, are left out.
   */
  render(scope: Scope, contextVariables?: Scope): JsonValue | undefined
}

/** Throws a TemplateError with the code `template_syntax`. */
export function compileTemplateTree(source: JsonValue): TemplateTree {
  if (typeof source === 'string') return new TextLeaf(compileTemplate(source))
  if (Array.isArray(source)) return new ListTree(source.map(compileTemplateTree))
  if (!isPlainObject(source)) return { render: () => source }
  const members = Object.entries(source).map(([name, value]) => [name, compileTemplateTree(value)] as const)
  return new ObjectTree(members)
}

class TextLeaf implements TemplateTree {
  readonly #template: Template

  constructor(template: Template) {
    this.#template = template
  }

  render(scope: Scope, contextVariables?: Scope): JsonValue | undefined {
    return this.#template.renderValue(scope, contextVariables)
  }
}

class ListTree implements TemplateTree {
  readonly #items: readonly TemplateTree[]

  constructor(items: readonly TemplateTree[]) {
    this.#items = items
  }

  render(scope: Scope, contextVariables?: Scope): JsonValue {
    return this.#items
      .map((item) => item.render(scope, contextVariables))
      .filter((item): item is JsonValue => item !== undefined)
  }
}

class ObjectTree implements TemplateTree {
  readonly #members: readonly (readonly [name: string, value: TemplateTree])[]

  constructor(members: readonly (readonly [string, TemplateTree])[]) {
    this.#members = members
  }

  render(scope: Scope, contextVariables?: Scope): { [key: string]: JsonValue } {
    const members = this.#members.map(
      ([name, value]) => [name, value.render(scope, contextVariables)] as const
    )
    // Not assigned one by one: a key may be called __proto__.
    return Object.fromEntries(
      members.filter((member): member is [string, JsonValue] => member[1] !== undefined)
    )
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
