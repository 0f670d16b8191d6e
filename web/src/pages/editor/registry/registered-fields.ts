import type { Field } from '../../../../../src/flows/component/component.ts'
import { ConnectionField } from '../connection-choice/connection-field.tsx'
import type { FieldPart } from '../node-part.ts'
import { OperationBodyField, ParametersField } from '../node-parts/api-operation/members-field.tsx'
import { OperationField } from '../node-parts/api-operation/operation-field.tsx'
import { BodyField } from '../node-parts/api-request/body-field.tsx'
import { FormEmbedField, FormLinkField } from '../node-parts/form/form-addresses.tsx'
import { FormFieldsField } from '../node-parts/form/form-fields-field.tsx'
import {
  HeadersField,
  MembersField,
  ParametersField as ParameterRows,
  QueryField as QueryRows,
  SelectorsField
} from '../node-parts/key-values/key-values-field.tsx'
import { FallbackModelField, ModelField } from '../node-parts/language-model/model-field.tsx'
import { CronField } from '../node-parts/schedule/cron-field.tsx'
import { QueryField } from '../node-parts/sql/query-field.tsx'
import { TemplateField } from '../node-parts/template/template-field.tsx'
import { CurlField } from '../node-parts/webhook/curl-field.tsx'
import { EndpointField } from '../node-parts/webhook/endpoint-field.tsx'
import { LimitField } from '../node-parts/webhook/limit-field.tsx'

/*
 * Apart from the parts of nodes, which are made of fields themselves.
 */

/** By the kind of the field. */
export const FIELD_PARTS: Readonly<Partial<Record<Field['kind'], FieldPart>>> = {
  template: TemplateField,
  connection: ConnectionField
}

/** Fields that the page knows more of: by the type of the component and the name of the field. */
export const NAMED_FIELD_PARTS: Readonly<Record<string, Readonly<Record<string, FieldPart>>>> = {
  webhook: { endpoint: EndpointField, curl: CurlField, rate_limit: LimitField, concurrency: LimitField },
  form: { link: FormLinkField, fields: FormFieldsField, embed: FormEmbedField },
  'api-request': { query: QueryRows, headers: HeadersField, body: MembersField },
  'api-operation': { operation: OperationField, parameters: ParametersField, body: OperationBodyField },
  html: { values: SelectorsField },
  'knowledge-search': { filter: ParameterRows },
  'knowledge-write': { metadata: ParameterRows },
  respond: { body: MembersField, headers: HeadersField },
  watch: { query: QueryRows, headers: HeadersField },
  'send-webhook': { body: MembersField },
  'send-email': { attachments: BodyField },
  schedule: { cron: CronField },
  sql: { query: QueryField, parameters: ParameterRows },
  'language-model': { model: ModelField, fallback_model: FallbackModelField },
  agent: { model: ModelField, fallback_model: FallbackModelField }
}
