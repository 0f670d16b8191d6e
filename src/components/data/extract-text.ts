import {
  compilePath,
  defineComponent,
  isPlainObject,
  type JsonValue,
  pathFault,
  type Step,
  type ValuePath
} from '../../plugin-api.ts'
import { readValue } from './given-documents.ts'
import { missingKey } from './missing-key.ts'

/** Reads documents. */
export const extractText = defineComponent({
  type: 'extract-text',
  title: 'Extract text',
  description:
    'Reads a document: the text of a PDF, the rows of a spreadsheet, a mail with what is attached.',
  category: 'Data',
  icon: 'file-text',
  keywords: [
    'pdf',
    'docx',
    'word',
    'xlsx',
    'excel',
    'spreadsheet',
    'ods',
    'pptx',
    'powerpoint',
    'eml',
    'email',
    'mail',
    'document',
    'read file',
    'ocr',
    'parse',
    'extract from file'
  ],
  example: 'An invoice that came as PDF becomes a text that a Language Model reads.',
  // What is attached to a mail becomes files.
  effects: 'external',
  acts: () => false,
  fields: {
    field: {
      kind: 'text',
      title: 'Field',
      help: 'The member of the data that is the file. Empty: the data itself.',
      placeholder: 'cv',
      path: true
    },
    sheets: {
      kind: 'list',
      title: 'Sheets',
      item: 'sheet',
      help: 'Of spreadsheets: the names of those that are read. Empty: all.'
    },
    header: {
      kind: 'boolean',
      title: 'The first row names the columns',
      help: 'Of spreadsheets and CSV: rows are objects. Off: rows are lists of cells.',
      default: true
    }
  },
  inputs: { file: { title: 'File', type: 'any', help: 'A file, or bytes as {"base64", "filename"}.' } },
  outputs: {
    text: { title: 'Text', type: 'text' },
    data: {
      title: 'Data',
      type: 'any',
      help: 'Its type, with the pages, the rows of each sheet, or the parts of a mail.'
    }
  },
  check: ({ field }) => {
    const message = field.trim() === '' ? undefined : pathFault(field)
    return message === undefined ? [] : [{ field: 'field', message }]
  },
  prepare: ({ field }) => (field.trim() === '' ? undefined : compilePath(field)),
  run: async ({ inputs, fields, prepared, files, readDocuments, pause }) => {
    const { sheets, header } = fields
    const task = { kind: 'extract', sheets, hasHeader: header } as const
    const given = memberOf(inputs.file, prepared)
    const read = (await readValue(given, task, { files, readDocuments, pause })) as unknown as Read
    return { text: read.text, data: await withFiles(read.data, files) }
  }
})

interface Read {
  readonly text: string
  readonly data: { readonly [key: string]: JsonValue }
}

interface Attached {
  readonly filename: string
  readonly content_type: string
  readonly base64: string
}

function memberOf(data: JsonValue | undefined, path: ValuePath | undefined): JsonValue | undefined {
  if (path === undefined) return data
  const value = path.read(data)
  if (value === undefined && isPlainObject(data)) throw missingKey(path, data)
  return value
}

/** What is attached to a mail, as files. */
async function withFiles(data: Read['data'], files: Step['files']): Promise<JsonValue> {
  if (data.type !== 'eml') return data
  const attachments: JsonValue[] = []
  for (const { filename, content_type, base64 } of data.attachments as unknown as Attached[]) {
    const bytes = Buffer.from(base64, 'base64')
    attachments.push({ ...(await files.create(bytes, { filename, contentType: content_type })) })
  }
  return { ...data, attachments }
}
