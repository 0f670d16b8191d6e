import { isPlainObject } from '../../flows/json/exact-json.ts'
import type { ApiOperation, ApiParameter } from '../../flows/step/api-operation.ts'
import type { Connection } from '../connection.ts'

/**
 * The operation as flows call it by this connection: of what the document asks for, such as a key in the query, no node needs to give what
 * the connection sends with every request.
 */
export function withoutSent(operation: ApiOperation, connection: Pick<Connection, 'settings'>): ApiOperation {
  const sent = sentBy(connection)
  if (sent.size === 0 || !operation.parameters.some((one) => one.required && sent.has(placeOf(one))))
    return operation
  const parameters = operation.parameters.map((one) =>
    one.required && sent.has(placeOf(one)) ? { ...one, required: false } : one
  )
  return { ...operation, parameters }
}

function sentBy({ settings }: Pick<Connection, 'settings'>): ReadonlySet<string> {
  const { auth, parameter, header, query, headers } = settings
  return new Set([
    ...namesIn(query).map(inQuery),
    ...namesIn(headers).map(inHeader),
    ...(auth === 'query' ? [inQuery(String(parameter))] : []),
    ...(auth === 'header' ? [inHeader(String(header))] : [])
  ])
}

const inQuery = (name: string) => `query ${name}`
/** Headers are one in whatever letters. */
const inHeader = (name: string) => `header ${name.toLowerCase()}`

function placeOf({ in: place, name, sent_as = name }: ApiParameter): string {
  return place === 'header' ? inHeader(sent_as) : `${place} ${sent_as}`
}

function namesIn(value: unknown): string[] {
  return isPlainObject(value) ? Object.keys(value) : []
}
