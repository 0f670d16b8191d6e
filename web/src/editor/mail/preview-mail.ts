import { buildMail, type Mail, prepareMail } from '../../../../src/components/send-email/build-mail.ts'
import { FIELDS } from '../../../../src/components/send-email/fields.ts'
import { resolveFields } from '../../../../src/flows/component/component.ts'
import { atOnce } from '../../../../src/flows/in-turns.ts'
import { isPlainObject, type JsonValue } from '../../../../src/flows/json/exact-json.ts'

type Values = Readonly<Record<string, JsonValue>>

type MailPreview =
  | { readonly mail: Mail; readonly problem?: undefined }
  /** In the words of the run that would fail. */
  | { readonly mail?: undefined; readonly problem: string }

/** What stands for the sender of the connection, which nobody is told here. */
const SENDER = 'sender@preview.invalid'

/** The mail that the step would send of this data: by the component itself, not by a likeness of it. */
export function previewMail(given: Values, data: JsonValue, variables: Values): MailPreview {
  try {
    const fields = resolveFields({ fields: FIELDS }, given)
    const prepared = prepareMail(fields as unknown as Parameters<typeof prepareMail>[0])
    const hasKeys = isPlainObject(data) || Array.isArray(data)
    const scope = { data: (hasKeys ? data : {}) as Values, variables }
    const sending = { scope, sender: SENDER, idempotencyKey: 'preview', now: 0 }
    return { mail: atOnce(buildMail(prepared, sending)) }
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) }
  }
}
