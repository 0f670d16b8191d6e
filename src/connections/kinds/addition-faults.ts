import { MESSAGE_HEADERS } from '../../flows/message-headers.ts'
import type { SettingFault, Settings } from './connection-kind.ts'
import { placeholderFault } from './named-secrets.ts'

/** What is wrong with the address, the headers and the parameters, where secrets stand in them by name. */
export function additionFaults({ base_url, headers, query }: Settings): SettingFault[] {
  return [
    ...baseFaults(base_url),
    ...textFaults('headers', headers),
    ...textFaults('query', query),
    ...nameFaults(headers)
  ]
}

function baseFaults(base: unknown): SettingFault[] {
  if (typeof base !== 'string') return []
  const fault = placeholderFault(base)
  if (fault !== undefined) return [{ setting: 'base_url', message: `The setting "base_url" ${fault}` }]
  const [, host = '', , behind = ''] = /^(https?:\/\/[^/?#]*)([^?#]*)(.*)$/is.exec(base) ?? []
  if (!/[{}]/.test(host + behind)) return []
  const message =
    'A secret in the base URL stands in its path. One for the query belongs into the setting "query"; where requests go is no secret.'
  return [{ setting: 'base_url', message }]
}

function textFaults(setting: 'headers' | 'query', value: unknown): SettingFault[] {
  return entriesOf(value).flatMap(([name, text]) => {
    if (typeof text !== 'string') return []
    const fault = placeholderFault(text) ?? (setting === 'headers' ? valueFault(text) : undefined)
    return fault === undefined ? [] : [{ setting, message: `"${name}" of the setting "${setting}" ${fault}` }]
  })
}

function valueFault(text: string): string | undefined {
  return /^[\t\x20-\x7e\x80-\xff]*$/.test(text) ? undefined : 'holds letters that no header can hold.'
}

function nameFaults(headers: unknown): SettingFault[] {
  return entriesOf(headers).flatMap(([name]) =>
    MESSAGE_HEADERS.includes(name.toLowerCase())
      ? [{ setting: 'headers', message: `The header "${name}" is set by Millrace. Leave it out.` }]
      : []
  )
}

function entriesOf(value: unknown): [string, unknown][] {
  return typeof value === 'object' && value !== null ? Object.entries(value) : []
}
