import type { TSchema } from 'typebox'
import { Type } from './schema-builder.ts'

export const Time = Type.String({ format: 'date-time' })

/** An address of the web. */
export const WEB_ADDRESS = '^https?://[^\\s/?#]+[^\\s]*$'

export const Nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])
