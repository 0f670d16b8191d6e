import type { JsonValue } from '../../plugin-api.ts'

/** A member called __proto__ is one like any other: set as those are, it would change what the object inherits. */
export function setMember(object: { [key: string]: JsonValue }, name: string, value: JsonValue): void {
  if (name !== '__proto__') object[name] = value
  else Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true })
}
