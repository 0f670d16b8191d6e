/** Messages to PostgreSQL, as "Message Formats" in its manual has them. */

export interface Statement {
  readonly text: string
  /** All as texts: the server reads each as what its place asks for. */
  readonly values: readonly (string | null)[]
}

const QUERY = 0x51
const PARSE = 0x50
const BIND = 0x42
/** Both of the portal without a name. */
const DESCRIBE = Buffer.from('D\0\0\0\x06P\0', 'latin1')
const EXECUTE = Buffer.from('E\0\0\0\x09\0\0\0\0\0', 'latin1')
const SYNC = Buffer.from('S\0\0\0\x04', 'latin1')
const EXECUTE_WITH_ROWS = Buffer.concat([DESCRIBE, EXECUTE, SYNC])

export const NO_MESSAGES: Buffer = Buffer.alloc(0)

/** Of a message, which counts itself but not the letter before it. */
const LENGTH_BYTES = 4

/** By the simple protocol: all that it takes is one message. */
export function simpleQuery(text: string): Buffer {
  const length = LENGTH_BYTES + Buffer.byteLength(text) + 1
  const message = Buffer.alloc(1 + length)
  message.writeUInt8(QUERY)
  message.writeInt32BE(length, 1)
  message.write(text, 1 + LENGTH_BYTES)
  return message
}

/** Statements without rows, to be sent before another one. */
export function silentStatements(texts: readonly string[]): Buffer {
  const run = (text: string) => parseAndBind({ text, values: [] }, NO_MESSAGES, EXECUTE)
  return Buffer.concat(texts.map(run))
}

/** A statement after those of `before`, answered together. Where one of them fails, the server leaves out the rest. */
export function statementMessages(statement: Statement, before: Buffer): Buffer {
  return parseAndBind(statement, before, EXECUTE_WITH_ROWS)
}

/** In one piece from the start: to put pieces together took as long as all the rest. */
function parseAndBind({ text, values }: Statement, before: Buffer, after: Buffer): Buffer {
  const bytes = values.map((value) => (value === null ? 0 : Buffer.byteLength(value)))
  const parse = LENGTH_BYTES + 1 + Buffer.byteLength(text) + 1 + 2
  const bind = bytes.reduce((sum, size) => sum + 4 + size, LENGTH_BYTES + 2 + 2 + 2 + 2)
  const messages = Buffer.allocUnsafe(before.length + 1 + parse + 1 + bind + after.length)
  let at = before.copy(messages)
  at = messages.writeUInt8(PARSE, at)
  at = messages.writeInt32BE(parse, at)
  // No name.
  at = messages.writeUInt8(0, at)
  at += messages.write(text, at)
  at = messages.writeUInt8(0, at)
  // No types: the server finds those of the parameters.
  at = messages.writeInt16BE(0, at)
  at = messages.writeUInt8(BIND, at)
  at = messages.writeInt32BE(bind, at)
  // No names of portal and statement, and no formats: all is text.
  at = messages.writeInt32BE(0, at)
  at = messages.writeUInt16BE(values.length, at)
  for (const [index, value] of values.entries()) {
    at = messages.writeInt32BE(value === null ? -1 : bytes[index]!, at)
    if (value !== null) at += messages.write(value, at)
  }
  // The same for what comes back.
  at = messages.writeInt16BE(0, at)
  after.copy(messages, at)
  return messages
}
