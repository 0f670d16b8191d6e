import { count } from './json/bounded-numbers.ts'
import { Type } from './json/schema-builder.ts'

/** A file as clients are told of it; see file-value.ts. */
export const FileValueShape = Type.Object({
  file: Type.String({ description: 'Its id. To know it opens nothing' }),
  filename: Type.String(),
  content_type: Type.String(),
  size: count({ description: 'In bytes' })
})
