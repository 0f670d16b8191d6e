import { WEB_ADDRESS } from '../../flows/json/common-schemas.ts'
import { Type } from '../../flows/json/schema-builder.ts'
import type { SettingCondition } from './setting-condition.ts'

/** What a form shows of a setting. */
interface Look {
  readonly title: string
  readonly description: string
  readonly shown_when?: SettingCondition
  /** Where it does not work without it. */
  readonly needed_when?: SettingCondition
  readonly pattern?: string
  readonly maxLength?: number
  /** `none`: no form asks for it. `last`: behind the secrets, since few need it. */
  readonly form?: 'none' | 'last'
}

export const url = (look: Look) => Type.String({ pattern: WEB_ADDRESS, maxLength: 2000, ...look })
export const text = (look: Look) => Type.String({ minLength: 1, maxLength: 1000, ...look })
/** An object of texts. The form asks for it in rows of name and value. */
export const texts = ({ names, ...look }: Look & { readonly names: string }) =>
  Type.Record(Type.String({ pattern: names }), Type.String({ maxLength: 4000 }), {
    additionalProperties: false,
    maxProperties: 50,
    ...look
  })
export const flag = (title: string, description: string) =>
  Type.Optional(Type.Boolean({ default: false, title, description }))
export const port = (standard: number) =>
  Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 65_535,
      default: standard,
      title: 'Port',
      description: `${standard} if left empty`
    })
  )

export const authority = (look: Pick<Look, 'shown_when'> = {}) =>
  Type.Optional(
    text({
      title: 'Certificate authority',
      description: 'Certificate of a private authority, in PEM format',
      maxLength: 20_000,
      ...look
    })
  )
