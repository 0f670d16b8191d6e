import { isPlainObject, type JsonValue } from '../../plugin-api.ts'
import { isNumber, TYPES } from './value-keywords.ts'

/** What keeps something from being a schema: the end of a sentence that begins with the schema's name. */
export class SchemaError extends Error {
  override readonly name = 'SchemaError'
}

type Members = Readonly<Record<string, JsonValue>>

/** The keywords of one schema, each of its kind or refused. */
export class Keywords {
  readonly all: Members
  readonly #path: string

  constructor(all: Members, path: string) {
    this.all = all
    this.#path = path
  }

  at(keyword: string): string {
    return `${this.#path}/${keyword}`
  }

  types(): readonly string[] | undefined {
    const { type } = this.all
    if (type === undefined) return undefined
    const types = [type].flat()
    const unknown = types.find((each) => !TYPES.includes(String(each)))
    if (unknown === undefined) return types as string[]
    throw new SchemaError(`has the type ${JSON.stringify(unknown)}. Use one of ${TYPES.join(', ')}.`)
  }

  text(keyword: string): string | undefined {
    return this.#of(keyword, (said) => typeof said === 'string', 'text') as string | undefined
  }

  number(keyword: string): number | undefined {
    const said = this.#of(keyword, isNumber, 'a number')
    return said === undefined ? undefined : Number(said)
  }

  positive(keyword: string): number | undefined {
    const said = this.#of(keyword, (each) => isNumber(each) && Number(each) > 0, 'a number above 0')
    return said === undefined ? undefined : Number(said)
  }

  count(keyword: string): number | undefined {
    const isCount = (said: JsonValue) => isNumber(said) && Number.isInteger(Number(said)) && Number(said) >= 0
    const said = this.#of(keyword, isCount, 'a whole number from 0')
    return said === undefined ? undefined : Number(said)
  }

  list(keyword: string): readonly JsonValue[] | undefined {
    return this.#of(keyword, Array.isArray, 'a list') as JsonValue[] | undefined
  }

  texts(keyword: string): readonly string[] | undefined {
    const list = this.list(keyword)
    return list && textsAt(list, this.at(keyword))
  }

  object(keyword: string): Members | undefined {
    return this.#of(keyword, isPlainObject, 'an object') as Members | undefined
  }

  #of(keyword: string, isRight: (said: JsonValue) => boolean, wanted: string): JsonValue | undefined {
    const said = Object.hasOwn(this.all, keyword) ? this.all[keyword] : undefined
    if (said === undefined || isRight(said)) return said
    throw misplaced(this.at(keyword), wanted)
  }
}

export function textsAt(list: readonly JsonValue[], path: string): string[] {
  if (list.every((each) => typeof each === 'string')) return list as string[]
  throw misplaced(path, 'a list of names')
}

export function misplaced(path: string, wanted: string): SchemaError {
  return new SchemaError(`is not a JSON Schema: at "${path.slice(0, 200)}" it takes ${wanted}.`)
}
