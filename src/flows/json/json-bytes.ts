import { parseJson } from './exact-json.ts'

/** A long value as the JSON that it is stored as: to read it, only to print it again, takes a hundred times as long as to send it. */
export class JsonBytes {
  readonly bytes: Uint8Array

  constructor(bytes: Uint8Array) {
    this.bytes = bytes
  }

  /** For whoever prints it as any other value. */
  toJSON(): unknown {
    return parseJson(new TextDecoder().decode(this.bytes))
  }
}

export function isJsonBytes(value: unknown): value is JsonBytes {
  return value instanceof JsonBytes
}
