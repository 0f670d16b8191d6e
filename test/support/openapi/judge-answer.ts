import type { Problem } from '../api-client.ts'
import type { Operation } from '../routes.ts'
import type { ApiRequest } from './api-requests.ts'
import { fitsSchema } from './schema-values.ts'

export interface ApiAnswer {
  readonly status: number
  readonly type: string | undefined
  readonly text: string
}

const NO_SHAPE = ['invalid_shape', 'missing_member', 'unknown_member']

/** Holds answers of one operation against its description. */
export class AnswerJudge {
  readonly #operation: Operation
  readonly #sendsDocument: boolean

  constructor(operation: Operation) {
    this.#operation = operation
    const { properties = {} } = operation.description.requestBody?.content['application/json']?.schema ?? {}
    this.#sendsDocument = 'nodes' in properties
  }

  /** What is not as it was said; undefined where all is. */
  fault(request: ApiRequest, answer: ApiAnswer): string | undefined {
    return (
      this.#undescribed(answer) ??
      (request.wrong === undefined ? this.#refusedForShape(answer) : taken(request, answer))
    )
  }

  #undescribed({ status, type, text }: ApiAnswer): string | undefined {
    if (status === 500) return 'it failed'
    const described = this.#operation.description.responses?.[status]
    if (described === undefined) return `the status ${status} is not listed`
    if (described.content === undefined)
      return type === undefined && text === '' ? undefined : 'it has a body'
    const schema = described.content[type ?? '']?.schema
    if (schema === undefined) return `the type ${type} is not listed`
    if (type === 'text/event-stream') return undefined
    return fitsSchema(schema)(type!.endsWith('json') ? JSON.parse(text) : text)
      ? undefined
      : 'its body does not fit'
  }

  #refusedForShape({ status, text }: ApiAnswer): string | undefined {
    if (status < 400) return undefined
    const { code, errors = [] } = JSON.parse(text) as Problem
    // What is wrong with a draft that is tried or published is nothing that this request has sent.
    if (code === 'flow_invalid' && !this.#sendsDocument) return undefined
    if (code === 'bad_request' || code === 'unsupported_media_type') return `it fits, and is refused: ${code}`
    const isShapeless = code === 'invalid_request' && errors.length === 0
    const isForShape = isShapeless || errors.some((error) => NO_SHAPE.includes(error.code))
    return isForShape ? `it fits, and is refused for its shape` : undefined
  }
}

function taken({ wrong }: ApiRequest, { status, type }: ApiAnswer): string | undefined {
  if (status >= 400 && status < 500 && type === 'application/problem+json') return undefined
  return `its ${wrong} does not fit, and it is answered ${status}`
}
