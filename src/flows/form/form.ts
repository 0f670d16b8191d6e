import { asFile } from '../file-value.ts'
import type { JsonValue } from '../json/exact-json.ts'
import { compileTemplate } from '../template/compile-template.ts'
import { TemplateError } from '../template/template-error.ts'
import { templateFault } from '../template/template-fault.ts'
import { type FormField, readFormFields } from './form-fields.ts'

/** What the page of a form shows. */
export interface Form {
  readonly title: string
  readonly description: string
  readonly fields: readonly FormField[]
  readonly button: string
  /** A template of the answers. */
  readonly thanks: string
  /** An address of a picture; empty where there is none. */
  readonly picture: string
  /** `#0b6477`; empty where it is ours. */
  readonly accent: string
}

type Values = Readonly<Record<string, JsonValue>>

const DEFAULT_THANKS = 'Thank you. What you sent has arrived.'

/** From the fields of its node, whatever a draft holds. */
export function readForm(values: Values): Form {
  const text = (name: string, otherwise = '') => {
    const value = values[name]
    return typeof value === 'string' && value.trim() !== '' ? value.trim() : otherwise
  }
  return {
    title: text('title', 'Form'),
    description: text('description'),
    fields: readFormFields(values.fields),
    button: text('button', 'Send'),
    thanks: text('thanks', DEFAULT_THANKS),
    picture: isPicture(text('picture')) ? text('picture') : '',
    accent: isColour(text('accent')) ? text('accent') : ''
  }
}

/** Who sees it has waited for it: where the template cannot be filled, the usual words are shown. */
export function thanksOf({ thanks }: Pick<Form, 'thanks'>, data: Values, variables: Values): string {
  const shown = Object.entries(data).map(([name, value]) => [name, asFile(value)?.filename ?? value])
  try {
    return compileTemplate(thanks).render(Object.fromEntries(shown), variables)
  } catch (error) {
    if (error instanceof TemplateError) return DEFAULT_THANKS
    throw error
  }
}

/** What keeps the words after sending from being filled; undefined where nothing does. */
export function thanksFault(thanks: string, fields: readonly FormField[]) {
  const fault = templateFault(thanks)
  if (fault !== undefined) return fault
  const names = new Set(fields.map(({ name }) => name))
  const unknown = compileTemplate(thanks).variables.find((name) => !names.has(name))
  if (unknown === undefined) return undefined
  const known = [...names].map((name) => `{${name}}`).join(', ') || 'none'
  return { message: `It reads {${unknown}}, which the form does not ask for. It may read: ${known}.` }
}

export function isColour(text: string): boolean {
  return /^#[0-9a-f]{6}$/i.test(text)
}

const LONGEST_PICTURE = 300_000

/** By its address, or with it. What is loaded without encryption no page would show. */
export function isPicture(text: string): boolean {
  if (text.length > LONGEST_PICTURE) return false
  if (/^data:image\/(?:png|jpeg|gif|webp|avif|svg\+xml);base64,[a-z\d+/]+=*$/i.test(text)) return true
  return /^https:\/\//i.test(text) && URL.canParse(text)
}
